import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { Made, MovedFile } from '@heterosis/analysis/move-in/moved-file';
import type { FileType } from '@heterosis/contracts/data/files';
import { projectGermplasmUploadsApi } from '@heterosis/contracts/endpoints/data/germplasm-uploads';
import { type CommandIo, InputError } from '../command.ts';
import { type Connection, connect } from '../remote/connection.ts';
import { findCredentials } from '../remote/credentials.ts';
import { findProject, type InProject } from '../remote/places.ts';
import { checked, sendFile } from '../remote/upload.ts';

/** How many files were sent, and how many of these the server refused. */
export interface Sent {
  sent: number;
  refused: number;
}

/**
 * Sends what was made to a project: germplasm first, because all else names its lines, and then the files one after the
 * other. What is there already stays: only blanks of lines are filled. What the server says is noted in each made file;
 * a refusal does not keep the others back. Tables that nothing tells to be phenotypes are not sent.
 */
export async function sendMade(moved: readonly MovedFile[], project: string, io: CommandIo): Promise<Sent> {
  const connection = connect(findCredentials(), io.context.signal);
  const at = await findProject(connection, project);
  const made = moved.flatMap((one) => one.made).filter(({ isUsable }) => isUsable);
  const result = { sent: 0, refused: 0 };
  for (const one of made.toSorted((a, b) => Number(b.type === 'GERMPLASM') - Number(a.type === 'GERMPLASM'))) {
    if (!one.isSure) {
      one.sent = 'not sent: look at it, and send it with heterosis remote upload';
      continue;
    }
    result.sent++;
    try {
      one.sent = await sendOne(one, at, connection, io);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      result.refused++;
      one.sent = `refused by the server: ${error.message}`;
    }
  }
  return result;
}

async function sendOne(
  { path, type }: Made,
  project: InProject,
  connection: Connection,
  io: CommandIo,
): Promise<string> {
  const name = basename(path);
  if (type === 'GERMPLASM') {
    const form = new FormData();
    form.append('existing', 'fill');
    form.append('generate_unknown_parent', 'true');
    form.append('file', await openAsBlob(path), name);
    await connection.call(projectGermplasmUploadsApi.uploadGermplasm, { ...project, body: form });
    return 'stored in the germplasm list';
  }
  const id = await sendFile(connection, io, { project, path, name, type: type satisfies FileType });
  const file = await checked(connection, io, { ...project, file_id: id }, path);
  return file.status === 'READY'
    ? 'sent, and ready'
    : 'sent; the server has questions or warnings, see the page of the file';
}
