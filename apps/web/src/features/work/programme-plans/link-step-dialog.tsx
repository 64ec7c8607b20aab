import {
  PLAN_STEPS,
  type PlannedThing,
  type ProgrammePlanStep,
} from '@heterosis/contracts/work/programmes/programme-plans';
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { type PlanMutations, thingsQuery } from './programme-plans.api.ts';

/** Links a step with something that the project has already: choosing it is enough. */
export function LinkStepDialog(props: {
  projectId: string;
  step: ProgrammePlanStep;
  name: string;
  mutations: Pick<PlanMutations, 'link'>;
  close: () => void;
}) {
  const { projectId, step, name, close } = props;
  const { link } = props.mutations;
  const { t } = useTranslation();
  const kinds: readonly PlannedThing[] = PLAN_STEPS[step.kind];
  const things = useQuery(thingsQuery(projectId, kinds));
  const linked = new Set(step.links.map((one) => one.item_id));
  const free = (things.data ?? []).filter(({ id }) => !linked.has(id));
  const choose = (id: string | null): void => {
    const thing = free.find((one) => one.id === id);
    if (thing !== undefined) link.mutate({ step: step.step, kind: thing.kind, id: thing.id }, { onSuccess: close });
  };
  const isEmpty = things.data !== undefined && free.length === 0;
  return (
    <ModalFrame title={t('programmePlans.linkTitle', { name })} onClose={close} size="md" busy={link.isPending}>
      {things.error && <ErrorNotice error={things.error} onRetry={() => void things.refetch()} />}
      {link.error && <ErrorNotice error={link.error} />}
      <Select
        label={t('programmePlans.linkWhat')}
        description={t('programmePlans.linkHint')}
        placeholder={isEmpty ? t('programmePlans.nothingToLink') : undefined}
        disabled={isEmpty || link.isPending}
        data-autofocus
        data={kinds.flatMap((kind) => {
          const items = free.filter((one) => one.kind === kind);
          return items.length === 0
            ? []
            : [{ group: t(`kind.${kind}`), items: items.map(({ id, name: label }) => ({ value: id, label })) }];
        })}
        searchable
        limit={200}
        value={null}
        onChange={choose}
        nothingFoundMessage={t('programmePlans.nothingFound')}
      />
    </ModalFrame>
  );
}
