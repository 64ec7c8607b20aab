import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './home-page.module.css';
import { ManhattanFigure } from './manhattan-figure.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** For visitors: what it does, the way in, and a real result. */
export function HomePage() {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = t('product.homeTitle');
  }, [t]);
  return (
    <div className={classes.home}>
      <div className={classes.intro}>
        <h1>{t('home.sentence')}</h1>
        <SignInForm />
      </div>
      <ManhattanFigure />
    </div>
  );
}
