import type { ProgrammePlanStep } from '@heterosis/contracts/work/programmes/programme-plans';
import { useTranslation } from 'react-i18next';
import { PlanStep } from './plan-step.tsx';
import classes from './plan-steps.module.css';
import type { StepsProps } from './steps-props.ts';

/** The steps by cycle. Cycles after the one that is under way are folded. */
export function PlanSteps(props: StepsProps) {
  const { t } = useTranslation();
  const cycles = [...Map.groupBy(props.plan.steps, ({ cycle }) => cycle)];
  const open = props.plan.steps.find(({ state }) => state === 'PLANNED')?.cycle ?? cycles.at(-1)?.[0] ?? 0;
  // What is done once before has hardly a season of its own: the first cycle is seen with it.
  const shown = Math.max(1, open);
  const later = cycles.filter(([cycle]) => cycle > shown);
  return (
    <div className={classes.cycles}>
      {cycles
        .filter(([cycle]) => cycle <= shown)
        .map(([cycle, steps]) => (
          <Cycle key={cycle} {...props} cycle={cycle} steps={steps} />
        ))}
      {later.length > 0 && (
        <details className={classes.later}>
          <summary>{t('programmePlans.later', { count: later.length })}</summary>
          <div className={classes.cycles}>
            {later.map(([cycle, steps]) => (
              <Cycle key={cycle} {...props} cycle={cycle} steps={steps} />
            ))}
          </div>
        </details>
      )}
    </div>
  );
}

function Cycle({ cycle, steps, ...props }: StepsProps & { cycle: number; steps: ProgrammePlanStep[] }) {
  const { t } = useTranslation();
  const isEnd = steps.every(({ step }) => step.startsWith('end.'));
  return (
    <section>
      <h3 className={classes.head}>
        {isEnd
          ? t('programmes.part.end')
          : cycle === 0
            ? t('programmes.part.start')
            : t('programmePlans.cycle', { cycle })}
      </h3>
      <ol className={classes.steps}>
        {steps.map((step) => (
          <PlanStep
            key={step.step}
            {...props}
            step={step}
            outcome={props.outcome?.steps.find((one) => one.step === step.step)}
            unit={props.outcome?.unit ?? null}
          />
        ))}
      </ol>
    </section>
  );
}
