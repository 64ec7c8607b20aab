// Assembles every .wat below packages/ to .wasm. The results are kept in the repository, so that the first start
// builds nothing.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import wabt from 'wabt';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** A message for every kernel whose .wasm differs from its .wat. */
export async function findStaleKernels() {
  const violations = [];
  for (const { source, target, bytes } of await assembled()) {
    let kept;
    try {
      kept = readFileSync(target);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    if (kept === undefined || !kept.equals(bytes)) {
      violations.push(
        `${relative(root, target)} is not made of ${basename(source)}: run node scripts/build-kernels.mjs`,
      );
    }
  }
  return violations;
}

async function assembled() {
  const { parseWat } = await wabt();
  return globSync('packages/*/src/**/*.wat', { cwd: root }).map((path) => {
    const source = join(root, path);
    const module = parseWat(path, readFileSync(source, 'utf8'), { simd: true });
    try {
      return { source, target: source.replace(/\.wat$/, '.wasm'), bytes: Buffer.from(module.toBinary({}).buffer) };
    } finally {
      module.destroy();
    }
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { target, bytes } of await assembled()) writeFileSync(target, bytes);
}
