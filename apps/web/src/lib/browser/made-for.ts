import { programmePlansApi } from '@heterosis/contracts/endpoints/work/programme-plans';
import { PLANNED_THINGS, type PlannedThing } from '@heterosis/contracts/work/programmes/programme-plans';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../api/api-client.ts';
import { asProblem } from '../api/problem.ts';
import { keys } from '../api/query-keys.ts';
import { runLink } from './run-kinds.ts';
import { showToast } from './toast.ts';

/** In the address of a dialog or page: the step of a programme's plan that what it makes is for. */
export const madeFor = (programmeId: string, step: string): string => `${programmeId}.${step}`;

export const isPlanned = (kind: string): kind is PlannedThing => PLANNED_THINGS.some((one) => one === kind);

const SIGN = /^([0-9a-f-]{36})\.(.+)$/;

/**
 * Links what was just made with the step of a plan that it was made for, where the address names one. What was made
 * stays whatever comes of the link.
 */
export function useLinkMade(projectId: string): (kind: PlannedThing, ids: readonly string[]) => Promise<void> {
  const { made_for } = useSearch({ strict: false });
  const client = useQueryClient();
  const navigate = useNavigate();
  const { t } = useTranslation();
  const [, programmeId, step] = SIGN.exec(made_for ?? '') ?? [];
  return async (kind, ids) => {
    if (programmeId === undefined || step === undefined) return;
    try {
      for (const id of ids)
        await call(programmePlansApi.linkStep, { project_id: projectId, id: programmeId, step, body: { kind, id } });
      await client.invalidateQueries({ queryKey: keys.runs('programme', projectId) });
      showToast({
        text: t('programmePlans.linkedToo'),
        action: {
          label: t('programmePlans.back'),
          run: () => void navigate(runLink('programme', projectId, programmeId) as Parameters<typeof navigate>[0]),
        },
      });
    } catch (error) {
      showToast({ text: t('programmePlans.notLinked', { why: asProblem(error).detail }), isError: true });
    }
  };
}
