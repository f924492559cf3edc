#!/bin/sh
# Makes sandbox/check/assets/three.min.js: what the view that turns needs of three.js, in one script. Wants npm.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/three.js" "$work/"
cd "$work"
npm install --silent --no-audit --no-fund three@0.170.0 esbuild@0.25
node node_modules/esbuild/install.js
banner='/*! three.js 0.170.0, MIT licence, Copyright 2010-2024 three.js authors; see three.LICENSE */'
./node_modules/.bin/esbuild three.js --bundle --minify --format=iife --global-name=THREE --banner:js="$banner" --outfile=three.min.js
cp three.min.js "$here/../../sandbox/check/assets/three.min.js"
cp node_modules/three/LICENSE "$here/../../sandbox/check/assets/three.LICENSE"
