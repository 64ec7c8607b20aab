export { accountRoutes } from './accounts.routes.ts';
export { photoRoutes } from './photos.routes.ts';
export {
  findLatestRegistration,
  findPendingRegistration,
  insertDecidedRegistration,
  insertPendingRegistration,
  listRegistrations,
  lockRegistrations,
  type Registration,
  type RegistrationStatus,
  updatePendingRegistration,
} from './registrations.queries.ts';
export { toSignedInUser } from './signed-in-user.ts';
export {
  ensureUser,
  findUser,
  findUserByEmail,
  isOperator,
  listOperators,
  type User,
  updateEmailVerified,
  updateOperator,
  updateUserName,
} from './users.queries.ts';
