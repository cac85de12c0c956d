#!/usr/bin/env bash
# claims.sh FOLDER: prints CLAIMS.md from the rows that the lessons left there with --claims.
# `lessons/run.sh claims` runs them all and writes the file.
set -euo pipefail
cat <<'TEXT'
# 论断 · Claims

由 `lessons/run.sh claims` 从各课的输出生成。Made by `lessons/run.sh claims` from what the lessons
print.

## 通俗的说法，量过之后 · What is commonly said, measured

| 说法 said | 课 lesson | 测得 measured | 判断 verdict |
| --- | --- | --- | --- |
TEXT
cat "$1"/[0-9][0-9].article
cat <<'TEXT'

## 每一条 · All of them

| 课 lesson | 论断 claim | 测得 measured | 限度 limit | |
| --- | --- | --- | --- | --- |
TEXT
cat "$1"/[0-9][0-9].claims
