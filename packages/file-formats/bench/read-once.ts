// Reads one genotype file into PLINK files, as `heterosis import` and an import on the server begin: `read-once.ts
// FILE PREFIX`.
import { enableCompileCache } from 'node:module';

enableCompileCache();
const [{ openFileSource }, { readGenotype }] = await Promise.all([
  import('../src/byte-source.ts'),
  import('../src/genotype/read-genotype.ts'),
]);
const [, , path, outPrefix] = process.argv;
if (path === undefined || outPrefix === undefined) throw new Error('usage: read-once.ts FILE PREFIX');
const source = await openFileSource(path);
const { report } = await readGenotype(source, { outPrefix });
await source.close();
if (report.totals.errors > 0) throw new Error(JSON.stringify(report.problems));
