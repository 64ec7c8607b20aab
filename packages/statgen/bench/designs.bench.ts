// Designs: efficiency of 22 alpha and row-column designs against their bound and against other seeds (goal: 99 % of the
// best), and how long the largest usual ones take (goals: p-rep and row-column 10 s, sparse 60 s of processor time).
// STARTS=100 before it compares with that many seeds; 5 otherwise. EFFORT=0.1 lets the seeds after the first search a
// tenth as long. SETS=3,4 takes these of the sets, from 1; 0 stands for the times.

import { entriesOf, PLAIN_FIELD, requestOf } from '../src/designs/design-request.test-data.ts';
import type { Design, DesignRequest } from '../src/designs/design-types.ts';
import { makeDesign } from '../src/designs/make-design.ts';

const STARTS = Number(process.env['STARTS'] ?? 5);
const EFFORT = Number(process.env['EFFORT'] ?? 1);
const SETS = process.env['SETS']?.split(',').map(Number);
const isWanted = (set: number): boolean => SETS?.includes(set) ?? true;

const alpha = (v: number, blockSize: number, replicates: number): DesignRequest =>
  requestOf({ design: 'alpha', entries: entriesOf(v), blockSize, replicates });
const rowColumn = (v: number, replicates: number): DesignRequest =>
  requestOf({ design: 'row-column', entries: entriesOf(v), replicates });

const COMPARED: DesignRequest[] = [
  ...[alpha(20, 5, 3), alpha(24, 6, 3), alpha(30, 6, 3), alpha(36, 6, 3), alpha(40, 8, 3), alpha(48, 8, 2)],
  ...[alpha(56, 7, 3), alpha(56, 8, 2), alpha(64, 8, 3), alpha(72, 9, 3), alpha(100, 10, 2), alpha(100, 10, 3)],
  ...[alpha(120, 12, 2), alpha(150, 15, 2), rowColumn(25, 2), rowColumn(36, 2), rowColumn(49, 2), rowColumn(64, 2)],
  ...[rowColumn(81, 2), rowColumn(100, 2), alpha(60, 4, 3), rowColumn(24, 2)],
];

function timed(request: DesignRequest): { design: Design; seconds: number } {
  const before = process.cpuUsage().user;
  const design = makeDesign(request);
  return { design, seconds: (process.cpuUsage().user - before) / 1e6 };
}

for (const [index, request] of COMPARED.entries()) {
  if (!isWanted(index + 1)) continue;
  const found = Array.from({ length: STARTS }, (_, seed) =>
    timed({ ...request, effort: seed === 0 ? 1 : EFFORT, seed: seed + 1 }),
  );
  const [first] = found;
  const efficiencies = found.map(({ design }) => design.places[0]?.efficiency ?? 0);
  const [own = 0] = efficiencies;
  const { upperBound, rows, columns } = first?.design.places[0] ?? { upperBound: null, rows: 0, columns: 0 };
  process.stdout.write(
    `${request.design} ${request.entries.length} × ${request.replicates} (${request.blockSize ?? `${rows} × ${columns}`}): ` +
      `efficiency ${own.toFixed(4)}, ${((100 * own) / Math.max(...efficiencies)).toFixed(2)} % of the best of ${STARTS}, ` +
      `${((100 * own) / (upperBound ?? own)).toFixed(2)} % of the bound, ${first?.seconds.toFixed(1)} s\n`,
  );
}

if (isWanted(0)) {
  const prep = timed(
    requestOf({
      design: 'p-rep',
      entries: entriesOf(400),
      field: { ...PLAIN_FIELD, rows: 20, columns: 40 },
      effort: 1,
    }),
  );
  const [figures] = prep.design.places;
  process.stdout.write(
    `p-rep 400 on 20 × 40: efficiency ${figures?.efficiency?.toFixed(4)}, ${figures?.neighbours.sameEntry} neighbours, ` +
      `${prep.seconds.toFixed(1)} s\n`,
  );
  for (const families of [0, 20]) {
    const entries = entriesOf(500).map((entry, i) =>
      families === 0 ? entry : { ...entry, family: `F${i % families}` },
    );
    const { design, seconds } = timed(requestOf({ design: 'sparse', entries, places: 10, replicates: 4, effort: 1 }));
    const { min, max } = design.allocation?.placeConcurrences ?? { min: 0, max: 0 };
    process.stdout.write(
      `sparse 500 × 10 places, each in 4, ${families} families: places share ${min} to ${max} lines, ` +
        `CDmean ${design.allocation?.cdMean?.toFixed(4)}, ${seconds.toFixed(1)} s\n`,
    );
  }
}
