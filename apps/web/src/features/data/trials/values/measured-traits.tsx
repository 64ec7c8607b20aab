import type { Trial } from '@heterosis/contracts/data/trials';
import { Button, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useModal } from '../../../../lib/browser/modal.ts';
import { showToast } from '../../../../lib/browser/toast.ts';
import { projectTraitsQuery, useUpdateProjectTraits } from '../../../people/projects/index.ts';
import { useTrialMutations } from '../trials.api.ts';

/** What is measured in a trial: traits of the project; a new name becomes one. */
export function MeasuredTraits({ projectId, trial }: { projectId: string; trial: Trial }) {
  const { t } = useTranslation();
  const modal = useModal();
  const known = (useQuery(projectTraitsQuery(projectId)).data?.data ?? []).map(({ name }) => name);
  const { update } = useTrialMutations(projectId);
  const traits = useUpdateProjectTraits(projectId);
  const change = async (names: string[]): Promise<void> => {
    const added = names.map((name) => name.trim()).filter((name) => name !== '' && !known.includes(name));
    try {
      if (added.length > 0) {
        const unset = { direction: 'higher', unit: null, weight: 1 } as const;
        await traits.mutateAsync({ traits: added.map((name) => ({ name, ...unset })) });
      }
      await update.mutateAsync({ id: trial.id, traits: names });
    } catch (error) {
      showToast({ text: error instanceof Error ? error.message : String(error), isError: true });
    }
  };
  return (
    <>
      <TagsInput
        label={t('trials.traits')}
        placeholder={trial.traits.length === 0 ? t('trials.traitsPlaceholder') : ''}
        data={known}
        splitChars={['\n', '\t', ';']}
        value={trial.traits}
        onChange={(names) => void change(names)}
      />
      <Button variant="default" onClick={() => modal.open('trait-settings')}>
        {t('trials.limits')}
      </Button>
    </>
  );
}
