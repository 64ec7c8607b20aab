import { useComputedColorScheme } from '@mantine/core';
import { lazy, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './home-page.module.css';
import crossingDark from './pictures/crossing.dark.webp';
import crossing from './pictures/crossing.webp';
import genotypeDark from './pictures/genotype.dark.webp';
import genotype from './pictures/genotype.webp';
import modelDark from './pictures/model.dark.webp';
import model from './pictures/model.webp';
import { SignInForm } from './sign-in-form.tsx';

// The page can be used before the figure has come, so the figure is not part of the first load.
const ManhattanFigure = lazy(() =>
  import('./manhattan-figure.tsx').then((part) => ({ default: part.ManhattanFigure })),
);

/** Each with what the demo shows then; see scripts/home-pictures.mjs. */
const STEPS = [
  { step: 'upload', light: genotype, dark: genotypeDark },
  { step: 'analyse', light: model, dark: modelDark },
  { step: 'cross', light: crossing, dark: crossingDark },
] as const;

/** For visitors: what it does, the way in beside a real result, and the way from data to crosses in three steps. */
export function HomePage() {
  const { t } = useTranslation();
  const isDark = useComputedColorScheme('light') === 'dark';
  useEffect(() => {
    document.title = t('product.homeTitle');
  }, [t]);
  return (
    <div className={classes.home}>
      <div className={classes.intro}>
        <h1>{t('home.headline')}</h1>
        <p>{t('home.sentence')}</p>
      </div>
      <div className={classes.middle}>
        <section className={classes.signIn} aria-label={t('home.signIn')}>
          <h2>{t('home.signIn')}</h2>
          <SignInForm />
          <p className="hx-muted">{t('home.newHere')}</p>
        </section>
        <div className={classes.figurePlace}>
          <Suspense>
            <ManhattanFigure />
          </Suspense>
        </div>
      </div>
      <ol className={classes.steps}>
        {STEPS.map(({ step, ...pictures }) => (
          <li key={step}>
            <img
              src={isDark ? pictures.dark : pictures.light}
              alt={t(`home.steps.${step}.picture`)}
              width={720}
              height={450}
              loading="lazy"
              decoding="async"
            />
            <h2>{t(`home.steps.${step}.title`)}</h2>
            <p>{t(`home.steps.${step}.text`)}</p>
          </li>
        ))}
      </ol>
    </div>
  );
}
