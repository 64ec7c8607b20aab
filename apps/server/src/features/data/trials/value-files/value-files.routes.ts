import { MAX_VALUE_FILE } from '@heterosis/contracts/data/value-files';
import { valueFilesApi } from '@heterosis/contracts/endpoints/data/value-files';
import type { FastifyRequest } from 'fastify';
import type { FeatureRoutes } from '../../../../platform/http/app.ts';
import { bind } from '../../../../platform/http/bind.ts';
import { acceptMultipart, receiveFile } from '../../../../platform/http/multipart.ts';
import { Problem } from '../../../../platform/http/problem.ts';
import { type GivenFile, readChoices, recordValuesFile, reviewValuesFile } from './value-files.service.ts';

/** Choices of a large file name each difference. */
const LONGEST_CHOICES = 400_000;

async function givenFile(request: FastifyRequest): Promise<GivenFile> {
  const { fileName, stored, fields } = await receiveFile(request, bytesOf, LONGEST_CHOICES);
  return { fileName, bytes: stored, choices: readChoices(fields['choices']) };
}

async function bytesOf(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const part of parts) {
    length += part.length;
    if (length > MAX_VALUE_FILE)
      throw new Problem('request/too-large', `The file has more than ${MAX_VALUE_FILE / 2 ** 20} MB. Divide it.`);
    chunks.push(part);
  }
  return Buffer.concat(chunks);
}

export const valueFileRoutes: FeatureRoutes = (app, services) => {
  acceptMultipart(app);
  bind(valueFilesApi, {
    reviewValuesFile: async (call, { id }, { request }) => reviewValuesFile(call, id, await givenFile(request)),
    recordValuesFile: async (call, { id }, { request }) => recordValuesFile(call, id, await givenFile(request)),
  })(app, services);
};
