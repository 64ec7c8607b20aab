import { writeFile } from 'node:fs/promises';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const BLOB = ts.factory.createTypeReferenceNode('Blob');

/** The types of every operation of an OpenAPI document, as a module; files are Blobs. */
export async function typesOf(document: object): Promise<string> {
  const types = astToString(
    await openapiTypescript(JSON.stringify(document), {
      alphabetize: true,
      transform: ({ format }) => (format === 'binary' ? BLOB : undefined),
    }),
  );
  return `// Made by generate-types.ts from /api/openapi.json.\n\n${types}`;
}

// `node clients/typescript/src/generate-types.ts http://localhost:4000` writes api.gen.ts again from a running server.
if (import.meta.main) {
  const [server = 'http://localhost:4000'] = process.argv.slice(2);
  const answer = await fetch(new URL('/api/openapi.json', server));
  if (!answer.ok) throw new Error(`${answer.url} answered with ${answer.status}.`);
  await writeFile(new URL('api.gen.ts', import.meta.url), await typesOf((await answer.json()) as object));
}
