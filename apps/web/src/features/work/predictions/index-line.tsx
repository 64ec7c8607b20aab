import { MAX_TRAIT_WEIGHT, type ProjectTrait } from '@heterosis/contracts/people/traits';
import type { PredictionResults } from '@heterosis/contracts/work/predictions';
import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NumberField } from '../../../components/form/number-field.tsx';
import { SubmitButton } from '../../../components/form/submit-button.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { type FieldNumber, numberOf } from '../../../lib/form/field-number.ts';
import { numberError, useSubmission } from '../../../lib/form/form.ts';
import { indexFormula } from '../../../lib/format/index-formula.ts';
import { useMayWrite, useTraitSettings, useUpdateProjectTraits } from '../../people/projects/index.ts';
import classes from './ranking.module.css';

const WEIGHT = { min: 0, max: MAX_TRAIT_WEIGHT };
/** About as long as a weight is: the line keeps its room until the weights are read, and is not seen. */
const SOME_WEIGHT = -0.0123;

interface IndexLineProps {
  projectId: string;
  first: PredictionResults | undefined;
  traits: readonly string[];
}

/** The index in one line: what a unit of each trait counts. Who may change the project weighs the traits in place. */
export function IndexLine(props: IndexLineProps) {
  const { projectId, first, traits } = props;
  const { t } = useTranslation();
  const mayWrite = useMayWrite(projectId);
  const settings = useTraitSettings(projectId);
  const [isWeighing, setWeighing] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const weights = first ? (first.index_weights ?? []) : traits.map(() => SOME_WEIGHT);
  // Both sentences are about as long.
  const information = first === undefined ? 'accuracies' : first.index_information;
  if (isWeighing && settings)
    return (
      <WeightsForm
        projectId={projectId}
        wanted={traits.map(settings)}
        close={() => {
          setWeighing(false);
          // Once the line is back, and the button in it.
          setTimeout(() => opener.current?.focus());
        }}
      />
    );
  return (
    <p className={classes.formula} data-waiting={first === undefined || undefined}>
      <span>{t('word.indexIs', { formula: indexFormula(traits, weights) })}</span>
      {mayWrite && (
        <Button ref={opener} size="compact-xs" variant="default" onClick={() => setWeighing(true)}>
          {t('predictions.weigh')}
        </Button>
      )}
      <span className="hx-muted">
        {t('predictions.formulaNote')}
        {information !== null && ` ${t(`predictions.indexInformation.${information}`)}`}
      </span>
    </p>
  );
}

function WeightsForm(props: { projectId: string; wanted: readonly ProjectTrait[]; close: () => void }) {
  const { projectId, wanted, close } = props;
  const { t } = useTranslation();
  const update = useUpdateProjectTraits(projectId);
  const line = useRef<HTMLFormElement>(null);
  useEffect(() => line.current?.querySelector('input')?.focus(), []);
  const form = useForm({
    initialValues: { weights: wanted.map(({ weight }) => weight as FieldNumber) },
    validate: { weights: (values) => values.map((value) => numberError(t, value, WEIGHT)).find(Boolean) ?? null },
  });
  const submission = useSubmission(
    form,
    ({ weights }) =>
      update.mutateAsync({
        traits: wanted.map((one, at) => ({ ...one, weight: numberOf(weights[at] ?? one.weight) })),
      }),
    close,
  );
  const isSound = form.values.weights.every((value) => numberError(t, value, WEIGHT) === undefined);
  return (
    <form
      ref={line}
      className={classes.formula}
      onSubmit={submission.handleSubmit}
      onKeyDown={({ key }) => key === 'Escape' && close()}
      noValidate
    >
      <span>{t('predictions.indexOf')}</span>
      {wanted.map(({ name, direction }, at) => (
        <label key={name} className={classes.weight}>
          {direction === 'lower' ? '−' : '+'}
          <NumberField
            size="xs"
            w="5rem"
            limits={WEIGHT}
            aria-label={t('traits.weightOf', { trait: name })}
            {...form.getInputProps(`weights.${at}`)}
          />
          {name}
        </label>
      ))}
      <SubmitButton size="compact-sm" isPending={submission.isPending} disabled={!isSound}>
        {t('predictions.rank')}
      </SubmitButton>
      <Button size="compact-sm" variant="default" onClick={close} disabled={submission.isPending}>
        {t('action.cancel')}
      </Button>
      <span className="hx-muted">{t('predictions.weighNote')}</span>
      {submission.problem && <ErrorNotice error={submission.problem} />}
    </form>
  );
}
