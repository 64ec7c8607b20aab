import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { ModalName, ModalProps } from '../../lib/modal.ts';

type LazyModal = LazyExoticComponent<ComponentType<ModalProps>>;

/** Each modal is a chunk of its own, loaded when it is first opened. */
const modal = <Part extends Record<Name, ComponentType<ModalProps>>, Name extends string>(
  load: () => Promise<Part>,
  name: Name,
): LazyModal => lazy(async () => ({ default: (await load())[name] as ComponentType<ModalProps> }));

export const MODALS: Partial<Record<ModalName, LazyModal>> = {
  'add-crop': modal(() => import('../crops/add-crop-modal.tsx'), 'AddCropModal'),
  bin: modal(() => import('../bin/bin-modal.tsx'), 'BinModal'),
  'add-project': modal(() => import('../projects/add-project-modal.tsx'), 'AddProjectModal'),
  'confirm-send-email': modal(() => import('../auth/confirm-send-email-modal.tsx'), 'ConfirmSendEmailModal'),
  'create-org': modal(() => import('../organizations/create-org-modal.tsx'), 'CreateOrgModal'),
  'invitation-box': modal(() => import('../invitations/invitation-box-modal.tsx'), 'InvitationBoxModal'),
  'name-registration': modal(() => import('../accounts/name-registration-modal.tsx'), 'NameRegistrationModal'),
  'not-exist-user': modal(() => import('../auth/not-exist-user-modal.tsx'), 'NotExistUserModal'),
  'sent-message': modal(() => import('../auth/sent-message-modal.tsx'), 'SentMessageModal'),
  'update-crop': modal(() => import('../crops/update-crop-modal.tsx'), 'UpdateCropModal'),
  'update-org': modal(() => import('../organizations/update-org-modal.tsx'), 'UpdateOrgModal'),
  'update-project': modal(() => import('../projects/update-project-modal.tsx'), 'UpdateProjectModal'),
  'create-crossing-simulation': modal(
    () => import('../crossing-simulations/create-crossing-simulation-modal.tsx'),
    'CreateCrossingSimulationModal',
  ),
  'update-crossing-simulation': modal(
    () => import('../crossing-simulations/update-crossing-simulation-modal.tsx'),
    'UpdateCrossingSimulationModal',
  ),
  'create-gwas': modal(() => import('../gwas/create-gwas-modal.tsx'), 'CreateGwasModal'),
  'create-model': modal(() => import('../models/create-model-modal.tsx'), 'CreateModelModal'),
  'create-prediction': modal(() => import('../predictions/create-prediction-modal.tsx'), 'CreatePredictionModal'),
  'update-gwas': modal(() => import('../gwas/update-gwas-modal.tsx'), 'UpdateGwasModal'),
  'update-model': modal(() => import('../models/update-model-modal.tsx'), 'UpdateModelModal'),
  'update-prediction': modal(() => import('../predictions/update-prediction-modal.tsx'), 'UpdatePredictionModal'),
  'add-folder': modal(() => import('../files/dialogs/add-folder-modal.tsx'), 'AddFolderModal'),
  'download-spec-file': modal(() => import('../files/dialogs/download-spec-file-modal.tsx'), 'DownloadSpecFileModal'),
  'export-file': modal(() => import('../files/dialogs/export-file-modal.tsx'), 'ExportFileModal'),
  phasing: modal(() => import('../files/phasing/phasing-modal.tsx'), 'PhasingModal'),
  'replace-file': modal(() => import('../files/upload/replace-file-modal.tsx'), 'ReplaceFileModal'),
  'update-file': modal(() => import('../files/dialogs/update-file-modal.tsx'), 'UpdateFileModal'),
  'update-folder': modal(() => import('../files/dialogs/update-folder-modal.tsx'), 'UpdateFolderModal'),
  'upload-files': modal(() => import('../files/upload/upload-files-modal.tsx'), 'UploadFilesModal'),
};
