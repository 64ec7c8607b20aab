import type { PlanOutcome, ProgrammePlanStep } from '@heterosis/contracts/work/programmes/programme-plans';
import { Button, Checkbox, Menu } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/form/icon-button.tsx';
import { IconDots, IconX } from '../../../components/icons.tsx';
import { asProblem } from '../../../lib/api/problem.ts';
import { itemLink } from '../../../lib/browser/item-link.ts';
import { showToast } from '../../../lib/browser/toast.ts';
import { formatCount, formatDay, formatStatistic } from '../../../lib/format/format.ts';
import { LinkStepDialog } from './link-step-dialog.tsx';
import { NameLinesDialog } from './name-lines-dialog.tsx';
import classes from './plan-steps.module.css';
import { StepDialog } from './step-dialog.tsx';
import type { StepsProps } from './steps-props.ts';
import { useMakers } from './use-makers.ts';

type Outcome = PlanOutcome['steps'][number];

interface StepProps extends Omit<StepsProps, 'outcome'> {
  step: ProgrammePlanStep;
  outcome: Outcome | undefined;
  unit: string | null;
}

/** A step: what is to be done and when, what the project has of it, and what it came to. */
export function PlanStep(props: StepProps) {
  const { projectId, step, outcome, unit, mutations, mayWrite } = props;
  const { t } = useTranslation();
  const [asking, setAsking] = useState<'link' | 'details'>();
  const [naming, setNaming] = useState<{ of: ProgrammePlanStep; onKept: ((list: string) => void) | undefined }>();
  const makers = useMakers({ ...props, nameLines: (of, onKept) => setNaming({ of, onKept }) });
  const name = stepName(t, step);
  const isLate = step.state === 'PLANNED' && step.due_on < new Date().toISOString().slice(0, 10);
  const say = (state: ProgrammePlanStep['state']) =>
    mutations.change.mutate(
      { step: step.step, state },
      {
        onSuccess: () =>
          showToast({
            text: t(`programmePlans.said.${state}`, { name }),
            action: {
              label: t('word.undo'),
              run: () => mutations.change.mutate({ step: step.step, state: step.state }),
            },
          }),
        onError: showError,
      },
    );
  const unlink = ({ id, kind, item_id, name: linked }: ProgrammePlanStep['links'][number]) =>
    mutations.unlink.mutate(id, {
      onSuccess: () =>
        showToast({
          text: t('programmePlans.unlinked', { name: linked ?? t('programmePlans.gone') }),
          ...(linked === null
            ? {}
            : {
                action: {
                  label: t('word.undo'),
                  run: () => mutations.link.mutate({ step: step.step, kind, id: item_id }, { onError: showError }),
                },
              }),
        }),
      onError: showError,
    });
  return (
    <li className={classes.step} data-state={step.state}>
      <Checkbox
        aria-label={t('programmePlans.done', { name })}
        checked={step.state === 'DONE'}
        disabled={!mayWrite || step.state === 'SKIPPED'}
        onChange={({ currentTarget }) => say(currentTarget.checked ? 'DONE' : 'PLANNED')}
      />
      <div className={classes.what}>
        <span className={classes.name}>{name}</span>
        <span className={classes.when} data-late={isLate}>
          {step.state === 'SKIPPED'
            ? t('programmePlans.skipped')
            : t(isLate ? 'programmePlans.late' : 'programmePlans.due', { day: formatDay(step.due_on) })}
          {step.cost > 0 && ` · ${t('programmePlans.costs', { cost: formatCount(Math.round(step.cost)) })}`}
        </span>
        {step.note !== '' && <span className={classes.note}>{step.note}</span>}
        {outcome && <Gains outcome={outcome} unit={unit} />}
      </div>
      <ul className={classes.links}>
        {step.links.map((link) => (
          <li key={link.id} className={classes.link}>
            <span className="hx-muted">{t(`kind.${link.kind}`)}</span>{' '}
            {link.name === null ? (
              <span className="hx-muted">{t('programmePlans.gone')}</span>
            ) : (
              <Link className="hx-link" {...(itemLink(link.kind, projectId, link.item_id) as LinkProps)}>
                {link.name}
              </Link>
            )}
            {mayWrite && (
              <IconButton
                size="xs"
                variant="subtle"
                label={t('programmePlans.unlink', { name: link.name ?? t('programmePlans.gone') })}
                onClick={() => unlink(link)}
              >
                <IconX size={12} />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {mayWrite && (
        <div className={classes.buttons}>
          {makers.slice(0, 1).map(({ label, run }) => (
            <Button key={label} size="compact-sm" variant="default" onClick={run}>
              {label}
            </Button>
          ))}
          <Button size="compact-sm" variant="subtle" onClick={() => setAsking('link')}>
            {t('programmePlans.link')}
          </Button>
          <Menu>
            <Menu.Target>
              <IconButton size="sm" variant="subtle" label={t('programmePlans.stepMenu', { name })}>
                <IconDots size={16} />
              </IconButton>
            </Menu.Target>
            <Menu.Dropdown>
              {makers.slice(1).map(({ label, run }) => (
                <Menu.Item key={label} onClick={run}>
                  {label}
                </Menu.Item>
              ))}
              <Menu.Item onClick={() => setAsking('details')}>{t('programmePlans.details')}</Menu.Item>
              <Menu.Item onClick={() => say(step.state === 'SKIPPED' ? 'PLANNED' : 'SKIPPED')}>
                {t(step.state === 'SKIPPED' ? 'programmePlans.takeUp' : 'programmePlans.skip')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </div>
      )}
      {naming && (
        <NameLinesDialog {...props} step={naming.of} onKept={naming.onKept} close={() => setNaming(undefined)} />
      )}
      {asking === 'link' && <LinkStepDialog {...props} name={name} close={() => setAsking(undefined)} />}
      {asking === 'details' && <StepDialog {...props} name={name} close={() => setAsking(undefined)} />}
    </li>
  );
}

const showError = (error: unknown): void => showToast({ text: asProblem(error).detail, isError: true });

/** What is to be done, in the numbers of the scheme. */
function stepName(t: TFunction, step: ProgrammePlanStep): string {
  return t(`programmePlans.step.${step.kind}`, {
    population: step.population,
    individuals: formatCount(step.individuals),
    crosses: formatCount(step.crosses),
    plots: formatCount(step.plots),
    environments: formatCount(step.environments ?? 0),
    replicates: formatCount(step.replicates ?? 0),
  });
}

/** What the simulation expects of the step, and what came of it. */
function Gains({ outcome: { expected, realised }, unit }: { outcome: Outcome; unit: string | null }) {
  const { t } = useTranslation();
  const inUnit = (value: number): string => `${signed(value)}${unit === null ? '' : ` ${unit}`}`;
  return (
    <ul className={classes.gains}>
      {expected && (
        <li>
          {t(`programmePlans.expected.${expected.what}`, {
            gain: inUnit(expected.mean),
            low: signed(expected.low),
            high: signed(expected.high),
          })}
        </li>
      )}
      {realised.map(({ item_id, name, what, value, lines, others, missing }) => (
        <li key={item_id} className={classes.realised}>
          {value === null
            ? t('programmePlans.notYet', { name, why: missing ?? '' })
            : t(`programmePlans.realised.${what}`, {
                ...{ name, gain: inUnit(value) },
                ...{ lines: formatCount(lines), others: formatCount(others) },
              })}
        </li>
      ))}
    </ul>
  );
}

const signed = (value: number): string => `${value > 0 ? '+' : ''}${formatStatistic(value)}`;
