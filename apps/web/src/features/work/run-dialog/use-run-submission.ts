import type { UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../../lib/api/api-client.ts';
import { isPlanned, useLinkMade } from '../../../lib/browser/made-for.ts';
import { runLink } from '../../../lib/browser/run-kinds.ts';
import { useSubmission } from '../../../lib/form/form.ts';
import { type Runs, useRunsChanged } from '../runs/index.ts';
import type { Draft } from './use-draft.ts';

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
