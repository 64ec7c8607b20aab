import { type RunKind, runKinds } from '@heterosis/contracts/work/run-kinds';
import { type ComponentType, createElement, lazy } from 'react';
import type { ModalAboutProps, ModalName, ModalProps } from '../../lib/browser/modal.ts';
import { createModalOf, type RunModalName, updateModalOf } from '../../lib/browser/run-kinds.ts';
import { useProjectId } from '../../lib/session/current.ts';
import { KINDS } from './kinds.ts';

type Modal = ComponentType<ModalProps>;
type ModalAbout = ComponentType<ModalAboutProps>;

/** Each modal is a chunk of its own, loaded when it is first opened. */
const modal = <Part extends Record<Name, Modal>, Name extends string>(load: () => Promise<Part>, name: Name): Modal =>
  lazy(async () => ({ default: (await load())[name] as Modal }));

/** A modal about one thing: without an id in the address its name there opens nothing. */
const modalAbout = <Part extends Record<Name, ModalAbout>, Name extends string>(
  load: () => Promise<Part>,
  name: Name,
): Modal => withId(lazy(async () => ({ default: (await load())[name] as ModalAbout })));

function withId(Inner: ModalAbout): Modal {
  return function ModalWithId({ id, ...props }) {
    return id ? createElement(Inner, { ...props, id }) : null;
  };
}

/** A modal about a project: on a page of no project its name in the address opens nothing. */
function inProject(Inner: Modal): Modal {
  return function ProjectModal(props) {
    return useProjectId() === undefined ? null : createElement(Inner, props);
  };
}

/** The modal of each kind that starts a run. */
const startModals = Object.fromEntries(
  runKinds.map((kind) => [createModalOf(kind), inProject(lazy(async () => ({ default: await KINDS[kind].dialog() })))]),
) as Record<RunModalName<'create'>, Modal>;

/** The one modal that renames runs, under the name that each kind has for it. */
const renameModals = Object.fromEntries(
  runKinds.map((kind) => [updateModalOf(kind), inProject(withId(renameModal(kind)))]),
) as Record<RunModalName<'update'>, Modal>;

function renameModal(kind: RunKind): ModalAbout {
  return lazy(async () => {
    const { RenameRunModal } = await import('../work/runs/dialogs/rename-run-modal.tsx');
    return { default: (props: ModalAboutProps) => createElement(RenameRunModal, { ...props, kind }) };
  });
}

export const MODALS: Record<ModalName, Modal> = {
  'add-credit-card': modalAbout(() => import('../people/billing/add-credit-card-modal.tsx'), 'AddCreditCardModal'),
  'add-crop': modalAbout(() => import('../people/crops/add-crop-modal.tsx'), 'AddCropModal'),
  'add-project': modal(() => import('../people/projects/add-project-modal.tsx'), 'AddProjectModal'),
  invitation: modalAbout(() => import('../people/projects/invitation-modal.tsx'), 'InvitationModal'),
  'confirm-send-email': modal(() => import('../people/auth/confirm-send-email-modal.tsx'), 'ConfirmSendEmailModal'),
  'create-org': modal(() => import('../people/organizations/create-org-modal.tsx'), 'CreateOrgModal'),
  'invitation-box': modal(() => import('../people/invitations/invitation-box-modal.tsx'), 'InvitationBoxModal'),
  'invitation-org': modalAbout(() => import('../people/organizations/invitation-org-modal.tsx'), 'InvitationOrgModal'),
  'name-registration': modal(() => import('../people/accounts/name-registration-modal.tsx'), 'NameRegistrationModal'),
  'not-exist-user': modal(() => import('../people/auth/not-exist-user-modal.tsx'), 'NotExistUserModal'),
  'sent-message': modal(() => import('../people/auth/sent-message-modal.tsx'), 'SentMessageModal'),
  'update-crop': modalAbout(() => import('../people/crops/update-crop-modal.tsx'), 'UpdateCropModal'),
  'map-germplasm-columns': modalAbout(
    () => import('../data/germplasm/review/map-germplasm-columns-modal.tsx'),
    'MapGermplasmColumnsModal',
  ),
  'upload-germplasm': modal(() => import('../data/germplasm/upload-germplasm-modal.tsx'), 'UploadGermplasmModal'),
  'update-org': modalAbout(() => import('../people/organizations/update-org-modal.tsx'), 'UpdateOrgModal'),
  'update-plan': modalAbout(() => import('../people/billing/update-plan-modal.tsx'), 'UpdatePlanModal'),
  'update-project': modalAbout(() => import('../people/projects/update-project-modal.tsx'), 'UpdateProjectModal'),

  'data-package': inProject(modal(() => import('../operation/packages/data-package-modal.tsx'), 'DataPackageModal')),
  'organization-package': modalAbout(
    () => import('../operation/packages/organization-package-modal.tsx'),
    'OrganizationPackageModal',
  ),
  'trait-settings': inProject(modal(() => import('../people/projects/trait-settings-modal.tsx'), 'TraitSettingsModal')),
  'compare-trial-analyses': inProject(
    modalAbout(() => import('../work/trial-analyses/compare-trial-analyses-modal.tsx'), 'CompareTrialAnalysesModal'),
  ),
  'compare-gwas': inProject(modalAbout(() => import('../work/gwas/compare-gwas-modal.tsx'), 'CompareGwasModal')),
  'compare-models': inProject(
    modalAbout(() => import('../work/models/compare-models-modal.tsx'), 'CompareModelsModal'),
  ),
  bin: inProject(modal(() => import('../data/bin/bin-modal.tsx'), 'BinModal')),
  'create-decision': inProject(
    modal(() => import('../work/decisions/create-decision-modal.tsx'), 'CreateDecisionModal'),
  ),
  'brapi-import': inProject(modal(() => import('../data/files/brapi/brapi-import-modal.tsx'), 'BrapiImportModal')),
  'add-folder': inProject(modal(() => import('../data/files/dialogs/add-folder-modal.tsx'), 'AddFolderModal')),
  'download-spec-file': inProject(
    modalAbout(() => import('../data/files/dialogs/download-spec-file-modal.tsx'), 'DownloadSpecFileModal'),
  ),
  'export-file': inProject(modalAbout(() => import('../data/files/dialogs/export-file-modal.tsx'), 'ExportFileModal')),
  'convert-file': inProject(
    modalAbout(() => import('../data/files/dialogs/convert-file-modal.tsx'), 'ConvertFileModal'),
  ),
  'map-columns': inProject(modalAbout(() => import('../data/files/check/map-columns-modal.tsx'), 'MapColumnsModal')),
  hybrids: inProject(modalAbout(() => import('../data/files/derivations/hybrids-modal.tsx'), 'HybridsModal')),
  phasing: inProject(modalAbout(() => import('../data/files/derivations/phasing-modal.tsx'), 'PhasingModal')),
  'open-trials': inProject(modal(() => import('../data/trials/open-trials-modal.tsx'), 'OpenTrialsModal')),
  'replace-file': inProject(
    modalAbout(() => import('../data/files/upload/replace-file-modal.tsx'), 'ReplaceFileModal'),
  ),
  'update-file': inProject(modalAbout(() => import('../data/files/dialogs/update-file-modal.tsx'), 'UpdateFileModal')),
  'update-folder': inProject(
    modalAbout(() => import('../data/files/dialogs/update-folder-modal.tsx'), 'UpdateFolderModal'),
  ),
  'upload-files': inProject(modal(() => import('../data/files/upload/upload-files-modal.tsx'), 'UploadFilesModal')),

  ...startModals,
  ...renameModals,
};
