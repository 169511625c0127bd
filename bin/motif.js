#!/usr/bin/env node
'use strict';

// Plain enough for the oldest Node in use to get as far as the message that it is too old.
const path = require('path');
const entry = path.join(__dirname, '..', 'dist', 'entry.js');
const version = process.versions.node.split('.').map(Number);

if (version[0] * 1e6 + version[1] * 1e3 + version[2] < 20018001) {
  process.stderr.write('motif: needs Node 20.18.1 or newer; this is ' + process.version + '\n');
  process.exitCode = 3;
} else if (!require('fs').existsSync(entry)) {
  process.stderr.write('motif: ' + entry + ' is missing; reinstall motif, or run "npm run build" in its sources\n');
  process.exitCode = 3;
  // A worker of a gateway that is being upgraded would stay, without ever listening, as long as it hears its parent.
  if (process.disconnect) process.disconnect();
} else {
  // Maps are only read for files that load after this.
  if (process.argv.indexOf('--debug') > 0) process.setSourceMapsEnabled(true);
  const enableCompileCache = require('module').enableCompileCache;
  if (enableCompileCache) enableCompileCache();
  require(entry);
}
