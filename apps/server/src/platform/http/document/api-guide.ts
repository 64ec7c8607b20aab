import { PROBLEMS } from '@heterosis/contracts/problem';

/**
 * A section of the guide for script authors, before the list of routes. `code` is a shell example; backticks mark
 * code.
 */
export interface GuideSection {
  title: string;
  text: readonly string[];
  code?: string;
}

/** The beginning of the OpenAPI document and of its page. */
export const GUIDE: readonly GuideSection[] = [
  {
    title: 'Signing in',
    text: [
      'Make an access token under My account, put it into the environment and send it with every request. The scope `read` lets it look, `write` lets it do all that you may do. It never allows more than your own role does. `GET /api/auth/token` says whose token it is, what it may do and until when.',
      'Where scripts sign in for other people, an operator makes custom tokens (`npm run admin -- custom-token EMAIL`); `POST /api/auth/token` exchanges one for an access token of 15 minutes and a refresh token.',
    ],
    code: 'export HETEROSIS_TOKEN=hx_…\ncurl -H "Authorization: Bearer $HETEROSIS_TOKEN" BASE/api/projects',
  },
  {
    title: 'Requests and answers',
    text: [
      'Bodies are JSON. A field or query parameter that does not exist is refused, so that a misspelt option is never taken for its default.',
      'Lists answer `{"data": […], "next_cursor": …}`. Ask again with `cursor=` and the `next_cursor` until it is null; `limit` is 50 and at most 500.',
      'Everywhere A2 is the counted allele (ALT of a VCF): dosages, effects and frequencies refer to it.',
    ],
  },
  {
    title: 'Files',
    text: [
      '1. `POST …/files/upload_link` with `content_type` answers `put_url` and `file_id`. 2. `PUT` the bytes to `put_url`, with the same `content-type` and without your token. 3. `POST …/files` with name, `file_id` and `file_type` makes the file, and its check begins. Ask `GET …/files/{file_id}` until `status` is READY, READY_WITH_WARNINGS or INVALID; `…/problems` says what was found, line by line.',
      'Large files and lines that break: name `size_bytes` in step 1 and send parts instead of step 2. `GET …/uploads/{upload_id}` (the id is `file_id`) says `part_bytes` and which parts have arrived, `POST …/parts` gives an address for each, and each takes one PUT. After a break ask again and send what is missing: what has arrived is kept for a week.',
    ],
    code: [
      'curl -sH "Authorization: Bearer $HETEROSIS_TOKEN" --json \'{"content_type": "text/csv"}\' BASE/api/projects/$PROJECT/files/upload_link > link.json',
      'curl -sT trials.csv -H "content-type: text/csv" "$(jq -r .put_url link.json)"',
      'curl -sH "Authorization: Bearer $HETEROSIS_TOKEN" --json "{\\"name\\": \\"trials.csv\\", \\"file_type\\": \\"PHENOTYPE\\", \\"file_id\\": $(jq .file_id link.json)}" BASE/api/projects/$PROJECT/files',
    ].join('\n'),
  },
  {
    title: 'Runs',
    text: [
      'Models, predictions, GWAS and crossing simulations are made by a POST that answers at once. Ask for them every few seconds until they have ended: the traits of a model with EVALUATED or ERROR, the others with SUCCESS or ERROR. Or listen to `GET /api/events` (server-sent events) and ask when a message names them. With ERROR, `error_extras` (`error_extra` where there is one state for all traits) has the reason and what to do.',
      'Results are read page by page, or as CSV from the signed addresses in the answer. Signed addresses need no token and work for 10 to 15 minutes: ask for the run again to get fresh ones. `…/bundle` is a zip of everything: results, SHA-256 of the inputs, parameters, seed, version, and a paragraph for the methods section.',
    ],
  },
  {
    title: 'Sending something twice',
    text: [
      'A POST may carry `Idempotency-Key`, 1 to 200 printable ASCII characters of your choice. When the line breaks, send the same request with the same key: it is carried out once, and the answer of the first comes again (with `Idempotent-Replayed: true`) for 24 hours. What the call changes and its answer are saved together or not at all. An answer that shows a secret is not kept: the repeated call says that it was carried out (409). The same key with another request is refused (422).',
    ],
  },
  {
    title: 'Failures',
    text: [
      'Failures are `application/problem+json` (RFC 9457): `code` is stable, `detail` says what happened and what to do, `invalid_params` which fields are wrong, and under `request_id` the operator finds the request in the log. What does not exist and what you may not see answer alike, with 404.',
      'Answers with 429 and 503 say in `Retry-After` how many seconds to wait. One address may make 3,000 requests a minute unless the operator says otherwise, and 60 for exports and bundles.',
    ],
  },
];

/** All problem codes. */
export const FAILURES: readonly { code: string; status: number; title: string }[] = Object.entries(PROBLEMS).map(
  ([code, { status, title }]) => ({ code, status, title }),
);

/** The guide as Markdown, for the description of the OpenAPI document. */
export function guideMarkdown(publicUrl: string): string {
  const sections = GUIDE.map(({ title, text, code }) =>
    [
      `## ${title}`,
      ...text,
      ...(code === undefined ? [] : [`\`\`\`sh\n${code.replaceAll('BASE', publicUrl)}\n\`\`\``]),
    ].join('\n\n'),
  );
  const rows = FAILURES.map(({ code, status, title }) => `| \`${code}\` | ${status} | ${title} |`);
  return [...sections, ['| Code | Status | Meaning |', '|---|---|---|', ...rows].join('\n')].join('\n\n');
}
