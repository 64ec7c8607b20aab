import { inbreedingOf } from '@heterosis/statgen/pedigree/inbreeding';
import { createPedigree } from '@heterosis/statgen/pedigree/pedigree';
import { relationshipsAmong } from '@heterosis/statgen/pedigree/relationships';
import { answerTasks } from '../../../platform/processes/answer-tasks.ts';
import { computeBoard } from './board.ts';
import type { DescentTask, LinesComputed, LinesTask } from './lines-task.ts';

/** Entry point of the thread that computes what stands beside the lines of a decision. */
answerTasks<LinesTask, LinesComputed>(({ board, descent }) => ({
  board: computeBoard(board),
  relationships: descent === null ? null : relationshipsOf(descent),
}));

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
