export {Tokens} from './access/tokens.ts';
export {
  ActionList,
  ErrorBody,
  Health,
  LoginCode,
  OrderTaken,
  RefreshTaken,
  RunList,
  TokensRotated,
} from './api/shapes.ts';
export {type Listeners, type ListenersOptions, openListeners} from './open-listeners.ts';
export {CannotListen, PortBusy} from './port-busy.ts';
export type {Delivery, DeliveryVerdict, JudgeDelivery, ScreenDelivery} from './routes/webhooks.ts';
export type {SignInLink} from './sign-in-link.ts';
export {readSupervisorFile, SupervisorFile} from './supervisor-file.ts';
