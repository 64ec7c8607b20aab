import { parentPort, workerData } from 'node:worker_threads';
import { inbreedingOf } from '@heterosis/statgen/pedigree/inbreeding';
import { createPedigree } from '@heterosis/statgen/pedigree/pedigree';
import { relationshipsAmong } from '@heterosis/statgen/pedigree/relationships';
import { computeBoard } from './board.ts';
import type { DescentTask, LinesComputed, LinesTask } from './lines-task.ts';

/** Entry point of the thread that computes what stands beside the lines of a decision. */
const { board, descent } = workerData as LinesTask;
const computed: LinesComputed = {
  board: computeBoard(board),
  relationships: descent === null ? null : relationshipsOf(descent),
};
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort?.postMessage(computed);

function relationshipsOf({ lines, ...descent }: DescentTask): Float32Array {
  const pedigree = createPedigree(descent);
  const known = Array.from(lines.keys()).filter((i) => (lines[i] ?? -1) >= 0);
  const places = Int32Array.from(known, (i) => pedigree.place[lines[i] ?? 0] ?? 0);
  const among = relationshipsAmong(pedigree, inbreedingOf(pedigree), places);
  const n = lines.length;
  const triangle = new Float32Array((n * (n + 1)) / 2);
  for (let i = 0; i < n; i++) triangle[(i * (i + 1)) / 2 + i] = 1;
  for (const [a, i] of known.entries())
    for (let b = 0; b <= a; b++) triangle[(i * (i + 1)) / 2 + (known[b] ?? 0)] = among.data[b * known.length + a] ?? 0;
  return triangle;
}
