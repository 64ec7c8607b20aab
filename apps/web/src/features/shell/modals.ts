import { type RunKind, runKinds } from '@heterosis/contracts/run-kinds';
import { type ComponentType, createElement, lazy } from 'react';
import { useProjectId } from '../../lib/current.ts';
import type { ModalAboutProps, ModalName, ModalProps } from '../../lib/modal.ts';
import { type RunModalName, updateModalOf } from '../../lib/run-kinds.ts';

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

/** The one modal that renames runs, under the name that each kind has for it. */
const renameModals = Object.fromEntries(
  runKinds.map((kind) => [updateModalOf(kind), inProject(withId(renameModal(kind)))]),
) as Record<RunModalName<'update'>, Modal>;

function renameModal(kind: RunKind): ModalAbout {
  return lazy(async () => {
    const { RenameRunModal } = await import('../runs/rename-run-modal.tsx');
    return { default: (props: ModalAboutProps) => createElement(RenameRunModal, { ...props, kind }) };
  });
}

export const MODALS: Record<ModalName, Modal> = {
  'add-credit-card': modalAbout(() => import('../billing/add-credit-card-modal.tsx'), 'AddCreditCardModal'),
  'add-crop': modalAbout(() => import('../crops/add-crop-modal.tsx'), 'AddCropModal'),
  'add-project': modal(() => import('../projects/add-project-modal.tsx'), 'AddProjectModal'),
  invitation: modalAbout(() => import('../projects/invitation-modal.tsx'), 'InvitationModal'),
  'confirm-send-email': modal(() => import('../auth/confirm-send-email-modal.tsx'), 'ConfirmSendEmailModal'),
  'create-org': modal(() => import('../organizations/create-org-modal.tsx'), 'CreateOrgModal'),
  'invitation-box': modal(() => import('../invitations/invitation-box-modal.tsx'), 'InvitationBoxModal'),
  'invitation-org': modalAbout(() => import('../organizations/invitation-org-modal.tsx'), 'InvitationOrgModal'),
  'name-registration': modal(() => import('../accounts/name-registration-modal.tsx'), 'NameRegistrationModal'),
  'not-exist-user': modal(() => import('../auth/not-exist-user-modal.tsx'), 'NotExistUserModal'),
  'sent-message': modal(() => import('../auth/sent-message-modal.tsx'), 'SentMessageModal'),
  'update-crop': modalAbout(() => import('../crops/update-crop-modal.tsx'), 'UpdateCropModal'),
  'map-germplasm-columns': modalAbout(
    () => import('../germplasm/review/map-germplasm-columns-modal.tsx'),
    'MapGermplasmColumnsModal',
  ),
  'upload-germplasm': modal(() => import('../germplasm/upload-germplasm-modal.tsx'), 'UploadGermplasmModal'),
  'update-org': modalAbout(() => import('../organizations/update-org-modal.tsx'), 'UpdateOrgModal'),
  'update-plan': modalAbout(() => import('../billing/update-plan-modal.tsx'), 'UpdatePlanModal'),
  'update-project': modalAbout(() => import('../projects/update-project-modal.tsx'), 'UpdateProjectModal'),

  'trait-settings': inProject(modal(() => import('../projects/trait-settings-modal.tsx'), 'TraitSettingsModal')),
  'compare-gwas': inProject(modalAbout(() => import('../gwas/compare-gwas-modal.tsx'), 'CompareGwasModal')),
  'compare-models': inProject(modalAbout(() => import('../models/compare-models-modal.tsx'), 'CompareModelsModal')),
  bin: inProject(modal(() => import('../bin/bin-modal.tsx'), 'BinModal')),
  'brapi-import': inProject(modal(() => import('../files/brapi/brapi-import-modal.tsx'), 'BrapiImportModal')),
  'add-folder': inProject(modal(() => import('../files/dialogs/add-folder-modal.tsx'), 'AddFolderModal')),
  'download-spec-file': inProject(
    modalAbout(() => import('../files/dialogs/download-spec-file-modal.tsx'), 'DownloadSpecFileModal'),
  ),
  'export-file': inProject(modalAbout(() => import('../files/dialogs/export-file-modal.tsx'), 'ExportFileModal')),
  'convert-file': inProject(modalAbout(() => import('../files/dialogs/convert-file-modal.tsx'), 'ConvertFileModal')),
  'map-columns': inProject(modalAbout(() => import('../files/check/map-columns-modal.tsx'), 'MapColumnsModal')),
  hybrids: inProject(modalAbout(() => import('../files/derivations/hybrids-modal.tsx'), 'HybridsModal')),
  phasing: inProject(modalAbout(() => import('../files/derivations/phasing-modal.tsx'), 'PhasingModal')),
  'replace-file': inProject(modalAbout(() => import('../files/upload/replace-file-modal.tsx'), 'ReplaceFileModal')),
  'update-file': inProject(modalAbout(() => import('../files/dialogs/update-file-modal.tsx'), 'UpdateFileModal')),
  'update-folder': inProject(modalAbout(() => import('../files/dialogs/update-folder-modal.tsx'), 'UpdateFolderModal')),
  'upload-files': inProject(modal(() => import('../files/upload/upload-files-modal.tsx'), 'UploadFilesModal')),

  'create-crossing-plan': inProject(
    modal(() => import('../crossing-plans/create-crossing-plan-modal.tsx'), 'CreateCrossingPlanModal'),
  ),
  'create-crossing-simulation': inProject(
    modal(
      () => import('../crossing-simulations/create-crossing-simulation-modal.tsx'),
      'CreateCrossingSimulationModal',
    ),
  ),
  'create-gwas': inProject(modal(() => import('../gwas/create-gwas-modal.tsx'), 'CreateGwasModal')),
  'create-model': inProject(modal(() => import('../models/create-model-modal.tsx'), 'CreateModelModal')),
  'create-parentage-check': inProject(
    modal(() => import('../parentage-checks/create-parentage-check-modal.tsx'), 'CreateParentageCheckModal'),
  ),
  'create-prediction': inProject(
    modal(() => import('../predictions/create-prediction-modal.tsx'), 'CreatePredictionModal'),
  ),
  ...renameModals,
};
