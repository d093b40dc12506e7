export type {Action, Release, RunBegun, StoreChange} from './change.ts';
export type {LifetimeTotals, RunRecord} from './history/history-rows.ts';
export {AlreadyRunning, InstanceLock} from './instance-lock.ts';
export type {Loaded, UnreadableRow} from './load.ts';
export {
  type OpenedStore,
  openStore,
  openStoreForReading,
  type StoreOptions,
} from './open-store.ts';
export type {Keep, Pruned} from './prune.ts';
export type {Damage} from './repair/repair.ts';
export type {Salvaged, SalvagedTable} from './repair/salvage.ts';
export type {SessionTable, StoredSession} from './sessions.ts';
export {stateDirExposure} from './state-dir.ts';
export type {Observe, Store, StoreObservation} from './store.ts';
export {StoreFailure, type StoreFailureCode, StoreTooNew} from './store-failure.ts';
