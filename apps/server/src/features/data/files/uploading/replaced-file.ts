import type { FileType } from '@heterosis/contracts/data/files';
import type { Principal, ProjectAccess } from '../../../../platform/http/access.ts';
import { Problem } from '../../../../platform/http/problem.ts';
import { requireOwn } from '../../../people/projects/index.ts';
import type { FileRow } from '../files.queries.ts';

/** An upload may replace only an INVALID file of the same type that the caller may delete. */
export function requireReplaceable(
  access: ProjectAccess,
  principal: Principal,
  file: FileRow,
  fileType: FileType | null,
): void {
  requireOwn(access, principal, file.created_by);
  if (file.status !== 'INVALID')
    throw new Problem(
      'files/not-replaceable',
      `"${file.name}" is not invalid. Upload the new file beside it under another name, or delete it first.`,
    );
  if (file.file_type !== fileType)
    throw new Problem('files/wrong-type', `"${file.name}" is a ${file.file_type}: upload a file of that type.`, {
      invalidParams: [{ name: 'body.file_type', reason: `${file.file_type}, as the file to be replaced` }],
    });
}
