// `npm run bench [name …]`: runs the benchmarks of the repository one after the other and prints their ratios.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const wanted = process.argv.slice(2);
const workspaces = ['packages', 'apps'].flatMap((group) =>
  readdirSync(join(root, group)).map((workspace) => join(group, workspace)),
);
const files = [...workspaces, 'e2e'].flatMap((workspace) => {
  const folder = join(root, workspace, 'bench');
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith('.bench.ts'))
        .map((file) => join(folder, file))
    : [];
});
const chosen = files.filter((file) => wanted.length === 0 || wanted.some((name) => file.includes(name)));
if (chosen.length === 0) {
  process.stderr.write(
    `No benchmark matches. There are:\n${files.map((file) => `  ${relative(root, file)}`).join('\n')}\n`,
  );
  process.exit(2);
}
let failed = 0;
for (const file of chosen) {
  process.stdout.write(`\n── ${relative(root, file)}\n`);
  const { status } = spawnSync(process.execPath, [file], { cwd: root, stdio: 'inherit' });
  if (status !== 0) failed++;
}
process.exit(failed === 0 ? 0 : 1);
