import { lazy, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './home-page.module.css';
import { SignInForm } from './sign-in-form.tsx';

// The page can be used before the figure has come, so the figure is not part of the first load.
const ManhattanFigure = lazy(() =>
  import('./manhattan-figure.tsx').then((part) => ({ default: part.ManhattanFigure })),
);

const STEPS = ['upload', 'analyse', 'cross'] as const;

/** For visitors: what it does, the way in beside a real result, and the way from data to crosses in three steps. */
export function HomePage() {
  const { t } = useTranslation();
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
        {STEPS.map((step) => (
          <li key={step}>
            <h2>{t(`home.steps.${step}.title`)}</h2>
            <p>{t(`home.steps.${step}.text`)}</p>
          </li>
        ))}
      </ol>
    </div>
  );
}
