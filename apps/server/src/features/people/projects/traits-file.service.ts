import type { InputOf } from '@heterosis/contracts/endpoint';
import type { projectTraitsApi } from '@heterosis/contracts/endpoints/people/project-traits';
import { type TraitsReading, traitsReading } from '@heterosis/contracts/people/traits';
import type { FileProblem } from '@heterosis/file-formats/problem';
import type { TraitsReading as FileReading } from '@heterosis/file-formats/tables/traits/listed-trait';
import { fieldBookTraits } from '@heterosis/file-formats/tables/traits/write-field-book-traits';
import type { Download, ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { aside } from '../../../platform/processes/aside.ts';
import { listProjectTraits } from './project-traits.queries.ts';

/** What the thread that reads a file answers. */
export type ReadFile = { reading: FileReading } | { problem: FileProblem };

/** `POST …/traits/read`. */
export async function readTraits(
  _call: ProjectCall,
  { body }: InputOf<typeof projectTraitsApi.readTraits>,
): Promise<TraitsReading> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (bytes.length === 0) throw new Problem('request/invalid', 'The file is empty. Choose another one.');
  const read = await aside<ReadFile>(new URL('./traits-file.thread.ts', import.meta.url), bytes);
  if ('problem' in read) {
    const { message, suggestion } = read.problem;
    throw new Problem('request/invalid', [message, suggestion].filter((part) => part !== null).join(' '));
  }
  const { format, traits, leftOut } = read.reading;
  const taken: TraitsReading['traits'] = [];
  for (const { ontologyId, ...trait } of traits) {
    const checked = traitsReading.shape.traits.element.safeParse({ ...trait, ontology_id: ontologyId });
    if (checked.success) taken.push(checked.data);
    else leftOut.push({ name: trait.name.slice(0, 255), reason: reasonOf(checked.error) });
  }
  return { format, traits: taken, left_out: leftOut };
}

/** The first fault in words: "scale: A category is given twice". */
const reasonOf = ({
  issues: [issue],
}: {
  issues: readonly { path: readonly PropertyKey[]; message: string }[];
}): string => (issue === undefined ? 'it cannot be used' : `${issue.path.map(String).join(' ')}: ${issue.message}`);

/** `GET …/traits.trt`. */
export async function getTraitsFile({ services: { db }, access: { projectId } }: ProjectCall): Promise<Download> {
  return { bytes: fieldBookTraits(await listProjectTraits(db, projectId)), fileName: 'traits.trt' };
}
