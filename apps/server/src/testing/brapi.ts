import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Answer, Person, Product } from './product.ts';

type Schema = Record<string, unknown>;

/** A call of BrAPI as this person; failures are plain text. */
export async function callBrapi(
  product: Product,
  person: Pick<Person, 'token'>,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
): Promise<Answer> {
  const answer = await product.app.inject({
    method,
    url: `/brapi/v2${path}`,
    headers: { authorization: `Bearer ${person.token}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  const isJson = String(answer.headers['content-type']).includes('json');
  return {
    status: answer.statusCode,
    body: isJson ? answer.json() : undefined,
    text: answer.body,
    headers: answer.headers,
  };
}

/**
 * Validators of the specification's answers by path. Only required properties may not be null: the standard says so in
 * its text, OpenAPI 3.0 cannot. Positions of maps may have decimals, and files may be in formats that it has no word
 * for.
 */
export function specification(): {
  paths: Record<string, Record<string, Schema>>;
  problemsOf(method: 'get' | 'post' | 'put', path: string, status: number, body: unknown): string[];
} {
  const document = JSON.parse(
    readFileSync(join(import.meta.dirname, '../features/brapi/testdata/brapi-2.1.openapi.json'), 'utf8'),
  );
  const { schemas } = document.components;
  schemas.MarkerPosition.properties.position.type = 'number';
  schemas.LinkageGroup.properties.maxPosition.type = 'number';
  for (const name of ['dataFormat', 'fileFormat']) delete schemas.AvailableFormat.properties[name].enum;
  // The last page has no next one.
  delete schemas.tokenPagination.allOf[1].required;
  allowNull(document);
  const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true, code: { optimize: false } }));
  ajv.addSchema(document, 'brapi');
  const validators = new Map<string, ValidateFunction>();
  return {
    paths: document.paths,
    problemsOf(method, path, status, body) {
      const pointer = `brapi#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method}/responses/${status}`;
      const response = document.paths[path]?.[method]?.responses[status];
      if (response === undefined) return [`the specification has no ${status} for ${method} ${path}`];
      const target =
        response.$ref === undefined
          ? `${pointer}/content/application~1json/schema`
          : `brapi${response.$ref}/content/application~1json/schema`;
      const validate = validators.get(target) ?? ajv.compile({ $ref: target });
      validators.set(target, validate);
      if (validate(body)) return [];
      return (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
      );
    },
  };
}

function allowNull(schema: unknown): void {
  if (Array.isArray(schema)) return schema.forEach(allowNull);
  if (typeof schema !== 'object' || schema === null) return undefined;
  const { properties, required, ...rest } = schema as { properties?: Record<string, Schema>; required?: string[] };
  if (typeof properties === 'object' && properties !== null)
    for (const [name, property] of Object.entries(properties)) {
      allowNull(property);
      if (required?.includes(name) !== true) properties[name] = orNull(property);
    }
  Object.values(rest).forEach(allowNull);
}

function orNull(schema: Schema): Schema {
  const { type, enum: values, example: _example, ...others } = schema;
  if (schema['$ref'] !== undefined) return { anyOf: [schema, { type: 'null' }] };
  return {
    ...others,
    ...(type === undefined ? {} : { type: [type, 'null'] }),
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  };
}
