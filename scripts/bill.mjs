// `npm run -s bill` writes the dependencies of the product as a CycloneDX bill. `npm sbom --omit dev` would also leave
// out what both the product and one of its tools need.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const FOLDER = 'node_modules/';

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const needed = new Set(
  Object.entries(packages)
    .filter(([path, { dev }]) => path.includes(FOLDER) && dev !== true)
    .map(([path, { name, version, resolved }]) => {
      const own = packages[resolved];
      return `${name ?? own?.name ?? path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)}@${version ?? own?.version}`;
    }),
);
const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
const bill = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }));
const components = bill.components.filter((one) => needed.has(one['bom-ref']));
const refs = new Set([bill.metadata.component, ...components].map((one) => one['bom-ref']));
const dependencies = bill.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
process.stdout.write(`${JSON.stringify({ ...bill, components, dependencies }, null, 2)}\n`);
