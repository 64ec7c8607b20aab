import { Button, useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { configQuery } from '../../../lib/api/config-query.ts';
import { asProblem, type Problem } from '../../../lib/api/problem.ts';
import { formatCount, formatDecimals } from '../../../lib/format/format.ts';
import { session } from '../../../lib/session/browser-session.ts';
import numbers from './home-numbers.json';
import classes from './home-page.module.css';
import crossingDark from './pictures/crossing.dark.webp';
import crossing from './pictures/crossing.webp';
import genotypeDark from './pictures/genotype.dark.webp';
import genotype from './pictures/genotype.webp';
import modelDark from './pictures/model.dark.webp';
import model from './pictures/model.webp';
import { SignInForm } from './sign-in-form.tsx';

// The page can be used before these have come, so they are not part of the first load.
const ManhattanFigure = lazy(() =>
  import('./manhattan-figure.tsx').then((part) => ({ default: part.ManhattanFigure })),
);
const HealingFigure = lazy(() => import('./healing-figure.tsx').then((part) => ({ default: part.HealingFigure })));

/** Each with what the demo shows then; see scripts/home-pictures.mjs. */
const OUTCOMES = [
  { outcome: 'upload', light: genotype, dark: genotypeDark },
  { outcome: 'analyse', light: model, dark: modelDark },
  { outcome: 'cross', light: crossing, dark: crossingDark },
] as const;

/** Of the demo, whose test holds them to it. */
const NUMBERS = {
  individuals: formatCount(numbers.individuals),
  markers: formatCount(numbers.markers),
  r: formatDecimals(numbers.r, 2),
  sd: formatDecimals(numbers.sd, 2),
  crosses: formatCount(numbers.crosses),
  progeny: formatCount(numbers.progeny),
};

/** For visitors: what it does, the way into the demo and to an account beside a real result, and what comes of it. */
export function HomePage() {
  const { t } = useTranslation();
  const isDark = useComputedColorScheme('light') === 'dark';
  useEffect(() => {
    document.title = t('product.homeTitle');
  }, [t]);
  return (
    <div className={classes.home}>
      <div className={classes.top}>
        <div className={classes.intro}>
          <h1>{t('home.headline')}</h1>
          <p>{t('home.sentence')}</p>
          <OpenDemo />
          <section className={classes.signIn} aria-label={t('word.signIn')}>
            <h2>{t('home.signInOrRegister')}</h2>
            <SignInForm />
          </section>
        </div>
        <div className={classes.figurePlace}>
          <Suspense>
            <ManhattanFigure />
          </Suspense>
        </div>
      </div>
      <section className={classes.part} aria-label={t('home.healing.title')}>
        <div className={classes.healingPlace}>
          <Suspense>
            <HealingFigure />
          </Suspense>
        </div>
      </section>
      <ol className={classes.outcomes}>
        {OUTCOMES.map(({ outcome, ...pictures }) => (
          <li key={outcome}>
            <img
              src={isDark ? pictures.dark : pictures.light}
              alt={t(`home.outcomes.${outcome}.picture`)}
              width={720}
              height={450}
              loading="lazy"
              decoding="async"
            />
            <p className={classes.number}>{t(`home.outcomes.${outcome}.number`, NUMBERS)}</p>
            <h2>{t(`home.outcomes.${outcome}.title`)}</h2>
            <p>{t(`home.outcomes.${outcome}.text`, NUMBERS)}</p>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Into the demo without an address, where there is one. */
function OpenDemo() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: config } = useQuery(configQuery());
  const [problem, setProblem] = useState<Problem>();
  const [isPending, setPending] = useState(false);
  const open = async (): Promise<void> => {
    setPending(true);
    try {
      const projectId = await session.visitDemo();
      await navigate({ to: '/projects/$projectId', params: { projectId } });
    } catch (error) {
      setProblem(asProblem(error));
      setPending(false);
    }
  };
  return (
    // Its place stays where there is no demo: nothing below it moves when that is known.
    <div className={classes.demo}>
      {config?.demo !== false && (
        <>
          <Button size="md" loading={isPending} onClick={() => void open()}>
            {t('home.openDemo')}
          </Button>
          <span className="hx-muted">{t('home.openDemoNote')}</span>
        </>
      )}
      {problem && <ErrorNotice error={problem} />}
    </div>
  );
}
