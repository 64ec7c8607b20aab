import type { Options } from '@heterosis/contracts/options/define-options';
import type { UseFormReturnType } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/api/api-client.ts';
import { isPlanned, useLinkMade } from '../../../lib/browser/made-for.ts';
import { runLink } from '../../../lib/browser/run-kinds.ts';
import { useSubmission } from '../../../lib/form/form.ts';
import { againName } from '../../../lib/format/again-name.ts';
import { type Runs, useRunsChanged } from '../runs/index.ts';
import { optionErrors } from './option-values.ts';
import { proposedName } from './propose-name.ts';
import { type Draft, useDraftForm } from './use-draft.ts';

/**
 * The form of a dialog that starts a run of a kind: its values are kept as a draft and checked by the table of its
 * options. `taken` are the runs of the project; a name made of parts by `nameOf` is none of theirs.
 */
export function useRunForm<
  Values extends Record<string, unknown>,
  Item extends { name: string },
  Detail extends { id: string; name: string },
>(
  projectId: string,
  runs: Pick<Runs<Item, Detail, never>, 'kind' | 'list'>,
  {
    options,
    source,
    about,
    valuesOf,
  }: {
    options: Options;
    /** The run that is repeated with changes. */
    source: Detail | undefined;
    /** What else the dialog was opened for: a draft belongs to it. */
    about?: string | undefined;
    valuesOf: (source: Detail | undefined, name: string) => Values;
  },
) {
  const { t } = useTranslation();
  const drafted = useDraftForm<Values>({
    draftKey: `${runs.kind} ${projectId} ${source?.id ?? about ?? ''}`,
    initialValues: valuesOf(source, source ? againName(source.name, t) : ''),
    validateInputOnChange: true,
    validate: (values) => optionErrors(t, options, values),
  });
  const taken = useQuery(runs.list(projectId)).data ?? [];
  const names = taken.map(({ name }) => name);
  return { ...drafted, taken, nameOf: (...parts: readonly (string | undefined)[]) => proposedName(parts, names) };
}

/** Starts a run of a kind from the values of a form, and goes to its page. */
export function useRunSubmission<Values extends Record<string, unknown>, Item, Detail extends { id: string }, Body>(
  projectId: string,
  { kind, endpoints }: Pick<Runs<Item, Detail, Body>, 'kind' | 'endpoints'>,
  { form, draft }: { form: UseFormReturnType<Values>; draft: Draft },
  bodyOf: (values: Values) => Body,
) {
  const navigate = useNavigate();
  const linkMade = useLinkMade(projectId);
  const create = useMutation({
    mutationFn: (body: Body) => call(endpoints.createRun, { project_id: projectId, body }),
    onSuccess: useRunsChanged(projectId, kind),
  });
  return useSubmission(
    form,
    (values) => create.mutateAsync(bodyOf(values)),
    async ({ id }) => {
      draft.drop();
      if (isPlanned(kind)) await linkMade(kind, [id]);
      return navigate({ ...runLink(kind, projectId, id), replace: true } as Parameters<typeof navigate>[0]);
    },
  );
}
