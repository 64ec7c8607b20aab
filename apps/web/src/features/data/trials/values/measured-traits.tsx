import type { Trial } from '@heterosis/contracts/data/trials';
import { Button, TagsInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useModal } from '../../../../lib/browser/modal.ts';
import { showToast } from '../../../../lib/browser/toast.ts';
import { useTrialMutations } from '../trials.api.ts';
import { useTraitNames } from '../use-trait-names.ts';

/** What is measured in a trial: traits of the project; a new name becomes one. */
export function MeasuredTraits({ projectId, trial }: { projectId: string; trial: Trial }) {
  const { t } = useTranslation();
  const modal = useModal();
  const { known, list } = useTraitNames(projectId);
  const { update } = useTrialMutations(projectId);
  const change = async (names: string[]): Promise<void> => {
    try {
      await list(names);
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
