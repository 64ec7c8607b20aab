import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { ColorSchemeSwitch } from './color-scheme-switch.tsx';
import classes from './header.module.css';
import { Logo } from './logo.tsx';

const UserControls = lazy(() => import('./user-controls.tsx').then((part) => ({ default: part.UserControls })));
const OrganizationButton = lazy(() =>
  import('./organization-button.tsx').then((part) => ({ default: part.OrganizationButton })),
);
const NavigationDrawer = lazy(() =>
  import('./navigation-drawer.tsx').then((part) => ({ default: part.NavigationDrawer })),
);

export function Header({ hasNavigation, showsUser }: { hasNavigation: boolean; showsUser: boolean }) {
  const { t } = useTranslation();
  return (
    <header className={classes.header}>
      <Suspense>{hasNavigation && <NavigationDrawer />}</Suspense>
      <Link to="/" className={classes.title}>
        <Logo />
        {t('product.name')}
      </Link>
      <div className={classes.left}>
        <Suspense>{showsUser && <OrganizationButton />}</Suspense>
      </div>
      <Suspense>{showsUser && <UserControls />}</Suspense>
      <ColorSchemeSwitch />
    </header>
  );
}
