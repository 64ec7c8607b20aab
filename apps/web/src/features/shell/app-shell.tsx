import { Outlet, useMatches } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../lib/session/browser-session.ts';
import { useOrganizationId, useProjectId } from '../../lib/session/current.ts';
import { useDemands } from '../../lib/session/demands.ts';
import classes from './app-shell.module.css';
import { Footer } from './footer.tsx';
import { Header } from './header/header.tsx';
import { RouteAnnouncer } from './route-announcer.tsx';
import {
  loadConnectionNotice,
  loadDropAnywhere,
  loadFirstSteps,
  loadGuestDialog,
  loadModalHost,
  loadProofDialog,
  loadSecondFactorGate,
  loadSideNavigation,
  loadToastCorner,
  loadTour,
  loadUploadTray,
} from './signed-in-parts.ts';
import { useKeptFocus } from './use-kept-focus.ts';

const SideNavigation = lazy(() => loadSideNavigation().then((part) => ({ default: part.SideNavigation })));
const ModalHost = lazy(() => loadModalHost().then((part) => ({ default: part.ModalHost })));
const ConnectionNotice = lazy(() => loadConnectionNotice().then((part) => ({ default: part.ConnectionNotice })));
const FirstSteps = lazy(() => loadFirstSteps().then((part) => ({ default: part.FirstSteps })));
const GuestDialog = lazy(() => loadGuestDialog().then((part) => ({ default: part.GuestDialog })));
const Tour = lazy(() => loadTour().then((part) => ({ default: part.Tour })));
const DropAnywhere = lazy(() => loadDropAnywhere().then((part) => ({ default: part.DropAnywhere })));
const UploadTray = lazy(() => loadUploadTray().then((part) => ({ default: part.UploadTray })));
const ProofDialog = lazy(() => loadProofDialog().then((part) => ({ default: part.ProofDialog })));
const SecondFactorGate = lazy(() => loadSecondFactorGate().then((part) => ({ default: part.SecondFactorGate })));
const ToastCorner = lazy(() => loadToastCorner().then((part) => ({ default: part.ToastCorner })));

/** Header, side navigation, page, footer, and the one open modal. */
export function AppShell() {
  const { t } = useTranslation();
  useKeptFocus();
  const state = useSession();
  const demands = useDemands();
  const projectId = useProjectId();
  const organizationId = useOrganizationId();
  const matches = useMatches();
  const isPublic = matches.some((match) => match.staticData.isPublic);
  const hidesUserControls = matches.some((match) => match.staticData.hidesUserControls);
  const search = matches.at(-1)?.search as { modal?: string; tour?: string } | undefined;
  const isSignedIn = state.status === 'signed-in';
  const isPerson = isSignedIn && state.guestOf === undefined;
  const inProject = isSignedIn && projectId !== undefined;
  const inOrganization = isSignedIn && projectId === undefined && organizationId !== undefined;

  // Between the end of a session and the move to the home page nothing of the page may be seen.
  if (!isSignedIn && !isPublic) return null;
  return (
    <div className={classes.shell}>
      <a className="hx-skip-link" href="#main">
        {t('page.skipToContent')}
      </a>
      <Header hasNavigation={inProject || inOrganization} showsUser={isSignedIn && !hidesUserControls} />
      <Suspense>{isSignedIn && <ConnectionNotice />}</Suspense>
      <div className={classes.middle}>
        {(inProject || inOrganization) && (
          <Suspense fallback={<div className={classes.navPlace} />}>
            <SideNavigation />
          </Suspense>
        )}
        <main id="main" tabIndex={-1} className={classes.main}>
          {isSignedIn && !isPublic && demands.secondFactor ? (
            <Suspense>
              <SecondFactorGate />
            </Suspense>
          ) : (
            <Outlet />
          )}
          <div id="floating" />
        </main>
      </div>
      {projectId === undefined && <Footer />}
      <Suspense>
        {search?.modal !== undefined && <ModalHost />}
        {isPerson && !hidesUserControls && <FirstSteps />}
        {isPerson && <UploadTray />}
        {isPerson && projectId !== undefined && <DropAnywhere projectId={projectId} />}
        {isSignedIn && <ToastCorner />}
        {isSignedIn && demands.proof && <ProofDialog />}
        {isSignedIn && search?.tour !== undefined && <Tour />}
        {isSignedIn && demands.signIn && <GuestDialog />}
      </Suspense>
      <RouteAnnouncer />
    </div>
  );
}
