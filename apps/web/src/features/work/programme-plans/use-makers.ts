import type {
  PlannedThing,
  ProgrammePlan,
  ProgrammePlanStep,
} from '@heterosis/contracts/work/programmes/programme-plans';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../../lib/api/problem.ts';
import { madeFor } from '../../../lib/browser/made-for.ts';
import { useModal } from '../../../lib/browser/modal.ts';
import { createModalOf } from '../../../lib/browser/run-kinds.ts';
import { showToast } from '../../../lib/browser/toast.ts';
import type { PlanMutations } from './programme-plans.api.ts';

interface Maker {
  label: string;
  run: () => void;
}

/**
 * What can be made for a step from here, the usual first: dialogs and pages that begin with what earlier steps have,
 * and link what they make with the step.
 */
export function useMakers(props: {
  projectId: string;
  programmeId: string;
  plan: ProgrammePlan;
  step: ProgrammePlanStep;
  mutations: Pick<PlanMutations, 'keepList'>;
  /** Asks for names of the lines of a step, and then does something with their list. */
  nameLines: (of: ProgrammePlanStep, onKept?: (list: string) => void) => void;
}): Maker[] {
  const { projectId, programmeId, plan, step, mutations, nameLines } = props;
  const { t } = useTranslation();
  const modal = useModal();
  const navigate = useNavigate();
  const made = madeFor(programmeId, step.step);
  const earlier = plan.steps.slice(
    0,
    plan.steps.findIndex((one) => one.step === step.step),
  );
  const list = [...earlier, step].flatMap((one) => listOf(one) ?? []).at(-1);
  const source = plan.steps.find((one) => one.step === step.source);
  const last = (...kinds: PlannedThing[]) =>
    earlier.flatMap(({ links }) => links.filter(({ kind, name }) => name !== null && kinds.includes(kind))).at(-1);
  const keepList = (onKept?: (list: string) => void): void =>
    mutations.keepList.mutate(
      { step: step.step },
      {
        onSuccess: (kept) => {
          const its = kept.steps.find((one) => one.step === step.step);
          const own = its && listOf(its);
          if (own !== undefined) onKept?.(own);
        },
        onError: (error) => showToast({ text: asProblem(error).detail, isError: true }),
      },
    );
  const designTrial = (entries: string): void =>
    void navigate({
      to: '/projects/$projectId/trials/new',
      params: { projectId },
      search: { list: entries, replicates: String(step.replicates ?? 2), made_for: made },
    });
  switch (step.kind) {
    case 'CROSSES':
      return [
        {
          label: t('programmePlans.make.plan'),
          run: () => modal.open(createModalOf('crossing_plan'), undefined, [list ?? '-', String(step.crosses)], made),
        },
        { label: t('programmePlans.make.parents'), run: () => keepList() },
      ];
    case 'LINES':
      return [{ label: t('programmePlans.make.names'), run: () => nameLines(step) }];
    case 'TRIAL':
      return [
        {
          label: t('programmePlans.make.trial'),
          run: () => {
            const entries = listOf(step) ?? (source === undefined ? undefined : listOf(source));
            if (entries !== undefined) designTrial(entries);
            else if (source?.kind === 'LINES') nameLines(source, designTrial);
            else keepList(designTrial);
          },
        },
        {
          label: t('programmePlans.make.analysis'),
          run: () => modal.open(createModalOf('trial_analysis'), undefined, undefined, made),
        },
      ];
    case 'MODEL':
      return [
        {
          label: t('programmePlans.make.model'),
          run: () => modal.open(createModalOf('model'), undefined, undefined, made),
        },
      ];
    case 'PREDICTION':
      return [
        {
          label: t('programmePlans.make.prediction'),
          run: () => modal.open(createModalOf('prediction'), undefined, undefined, made),
        },
      ];
    case 'SELECTION': {
      const values = last('trial_analysis', 'prediction');
      const lines = list === undefined ? undefined : { kind: 'list', id: list };
      const from = values === undefined ? lines : { kind: values.kind, id: values.item_id };
      return [
        {
          label: t('programmePlans.make.decision'),
          run: () => modal.open('create-decision', from?.id, from === undefined ? undefined : [from.kind], made),
        },
        { label: t('programmePlans.make.candidates'), run: () => keepList() },
      ];
    }
    default:
      return [];
  }
}

/** The list of lines that a step has last. */
const listOf = ({ links }: ProgrammePlanStep): string | undefined =>
  links.flatMap(({ list_id: id }) => id ?? []).at(-1);
