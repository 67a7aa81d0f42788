#!/bin/sh
# Patroni runs this once, on the first primary. $1: how to connect as superuser. RESTWELL_DATABASE_PASSWORD is in node.env.
set -eu
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set password="$RESTWELL_DATABASE_PASSWORD" "$1" <<'SQL'
create role restwell login password :'password';
create database restwell owner restwell;
SQL
