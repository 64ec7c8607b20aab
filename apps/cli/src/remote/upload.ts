import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FILE_TYPES, type FileDetail, type FileType } from '@heterosis/contracts/data/files';
import { fileUploadsApi } from '@heterosis/contracts/endpoints/data/file-uploads';
import { filesApi } from '@heterosis/contracts/endpoints/data/files';
import { type Command, type CommandIo, defineCommand, inputError } from '../command.ts';
import { type Connection, connect, send } from './connection.ts';
import { findCredentials } from './credentials.ts';
import { findProject, type InProject, PROJECT_OPTION } from './places.ts';

const POLL_MS = 1_000;

export const uploadCommand: Command = defineCommand({
  name: 'remote upload',
  summary: 'send a file to a project on the server and wait for its check',
  description: [
    'The file is sent in parts. After a break, run the command again: what has arrived is not sent twice.',
    'Warnings of the check go to standard error. When the file cannot be used the exit code is 2.',
  ],
  options: {
    ...PROJECT_OPTION,
    file: { kind: 'text', required: true, path: 'read', placeholder: 'FILE', help: 'File to send.' },
    type: { kind: 'choice', required: true, choices: Object.keys(FILE_TYPES), help: 'Type of the file.' },
    name: { kind: 'name', placeholder: 'NAME', help: 'Name on the server. Default: that of the file.' },
  },
  output: ['The id of the file.'],
  examples: ['heterosis remote upload --project "Maize 2026" --file panel.vcf.gz --type GENOTYPE'],
  async run(options, io) {
    const connection = connect(findCredentials(), io.context.signal);
    const project = await findProject(connection, options.project);
    const name = options.name ?? basename(options.file);
    const id = await sendFile(connection, io, { project, path: options.file, name, type: options.type as FileType });
    const file = await checked(connection, io, { ...project, file_id: id }, options.file);
    return { summary: { file }, lines: [id] };
  },
});

export interface FileToSend {
  project: InProject;
  path: string;
  name: string;
  type: FileType;
}

export async function sendFile(
  { call, rows }: Connection,
  { context }: CommandIo,
  { project, path, name, type }: FileToSend,
): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  const fingerprint = `${name} ${size} ${mtimeMs}`;
  let id: string | undefined;
  for await (const begun of rows(fileUploadsApi.listUploads, project))
    if (begun.fingerprint === fingerprint) id = begun.id;
  const link = { name, file_type: type, size_bytes: size, fingerprint };
  id ??= (await call(fileUploadsApi.createUploadLink, { ...project, body: link })).file_id;
  const upload = { ...project, upload_id: id };
  const { parts, part_bytes: partBytes } = await call(fileUploadsApi.getUpload, upload);
  const arrived = new Set(parts.map(({ number }) => number));
  const sha256 = createHash('sha256');
  const file = await open(path);
  try {
    for (let number = 1; (number - 1) * partBytes < size; number++) {
      const part = Buffer.alloc(Math.min(partBytes, size - (number - 1) * partBytes));
      await file.read(part, 0, part.length, (number - 1) * partBytes);
      sha256.update(part);
      if (!arrived.has(number)) {
        const { data } = await call(fileUploadsApi.createPartLinks, { ...upload, body: { numbers: [number] } });
        const headers = { 'content-type': 'application/octet-stream' };
        await send(data[0]?.put_url ?? '', { method: 'PUT', body: part, headers }, context.signal);
      }
      context.onProgress?.({ stage: 'write', done: Math.min(size, number * partBytes), total: size });
    }
  } finally {
    await file.close();
  }
  const body = { name, file_id: id, file_type: type, sha256: sha256.digest('hex') };
  return (await call(filesApi.createFile, { ...project, body })).id;
}

export async function checked(
  { call }: Connection,
  io: CommandIo,
  at: InProject & { file_id: string },
  path: string,
): Promise<FileDetail> {
  for (;;) {
    const file = await call(filesApi.getFile, at);
    if (file.status !== 'UPLOADED' && file.status !== 'CHECKING') {
      const { data } = await call(filesApi.getProblems, { ...at, query: { limit: 100 } });
      io.report(data, path);
      if (file.status !== 'INVALID') return file;
      throw inputError('E-CLI-RUN', `The server cannot use ${file.name}.`, 'Mend the file and send it again.', path);
    }
    io.context.onProgress?.({ stage: 'read', done: 0, total: 0 });
    await sleep(POLL_MS);
    io.context.signal?.throwIfAborted();
  }
}
