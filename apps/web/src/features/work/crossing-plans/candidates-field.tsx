import { PLAN_OPTIONS } from '@heterosis/contracts/options/crossing';
import { Button, Input } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PasteCells } from '../../../components/form/paste-cells.tsx';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { namesIn } from '../../../lib/format/names-in.ts';
import { TakeFromList } from '../../data/lists/index.ts';
import type { PlanValues } from './plan-form.ts';

/** Everyone, or the lines of a list. */
export function CandidatesField(props: {
  projectId: string;
  everyone: string;
  value: PlanValues['candidates'];
  onChange: (value: PlanValues['candidates']) => void;
  error: ReactNode;
}) {
  const { projectId, value, onChange, error } = props;
  const { t } = useTranslation();
  const label = useOptionText('crossing_plans', PLAN_OPTIONS)('candidates', 'label');
  const count = value?.names.length ?? 0;
  return (
    <Input.Wrapper label={label} labelElement="div" error={error}>
      <p className="hx-muted">
        {value === null ? props.everyone : t('crossing_plans.fromList', { count, list: value.list })}{' '}
        {value !== null && (
          <Button size="compact-xs" variant="subtle" onClick={() => onChange(null)}>
            {t('crossing_plans.takeEveryone')}
          </Button>
        )}
      </p>
      <TakeFromList
        projectId={projectId}
        kind="germplasm"
        label={label}
        onTake={(names, { name }) => onChange({ list: name, names })}
      />
      <PasteCells
        label={t('paste.lines')}
        description={t('paste.linesHint')}
        submitLabel={t('paste.takeLines')}
        refuse={(text) => (namesIn(text).length < 2 ? t('crossBest.needTwo') : undefined)}
        onTake={(text) => onChange({ list: t('paste.fromClipboard'), names: namesIn(text) })}
      />
    </Input.Wrapper>
  );
}
