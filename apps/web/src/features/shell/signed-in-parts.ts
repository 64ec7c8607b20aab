/**
 * The parts of the frame that only those who have signed in see: the first page comes without them. `_app` begins to
 * load them all as soon as it is known who is there, so that they do not arrive one after the other.
 */
export const loadUserControls = () => import('./header/user-controls.tsx');
export const loadOrganizationButton = () => import('./navigation/organization-button.tsx');
export const loadSearchButton = () => import('./header/search-button.tsx');
export const loadNavigationDrawer = () => import('./navigation/navigation-drawer.tsx');
export const loadSideNavigation = () => import('./navigation/side-navigation.tsx');
export const loadFirstSteps = () => import('./first-steps.tsx');
export const loadConnectionNotice = () => import('./connection-notice.tsx');
export const loadModalHost = () => import('./modal-host.tsx');
export const loadToastCorner = () => import('./toast-corner.tsx');
export const loadProofDialog = () => import('../people/accounts/second-factor/proof-dialog.tsx');
export const loadGuestDialog = () => import('../people/auth/guest-dialog.tsx');
export const loadSecondFactorGate = () => import('../people/accounts/second-factor/second-factor-gate.tsx');
export const loadTour = () => import('./tour/tour.tsx');
export const loadDropAnywhere = () => import('../data/files/upload/drop-anywhere.tsx');
export const loadUploadTray = () => import('../data/files/upload/upload-tray.tsx');

export async function loadSignedInParts(): Promise<void> {
  await Promise.all([
    loadUserControls(),
    loadOrganizationButton(),
    loadSearchButton(),
    loadNavigationDrawer(),
    loadSideNavigation(),
    loadFirstSteps(),
    loadModalHost(),
    loadConnectionNotice(),
    loadUploadTray(),
    loadToastCorner(),
  ]);
}
