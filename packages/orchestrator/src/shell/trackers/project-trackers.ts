import type {TrackerProfile} from '@symphony-supervisor/protocol';
import type {WebhookDelivery} from '@symphony-supervisor/tracker';
import type {Log} from '../log.ts';
import type {Loop} from '../loop.ts';
import type {Trackers} from '../outside.ts';
import {type ScreenedOut, screenWebhook} from './screen-webhook.ts';
import {trackerName} from './tracker-name.ts';

export interface ProjectTrackersOptions {
  readonly threads: Trackers;
  readonly loop: () => Loop;
  readonly profiles: Readonly<Record<string, TrackerProfile>>;
  readonly log: Log;
}

/** The trackers of the projects: opened, watched and closed, and the webhooks that they send. */
export class ProjectTrackers {
  readonly #options: ProjectTrackersOptions;

  constructor(options: ProjectTrackersOptions) {
    this.#options = options;
  }

  /** Calls keep their order: a call made after this one reaches the new tracker. */
  async open(project: string, scope: number): Promise<void> {
    const {threads, loop, log} = this.#options;
    const settings = loop().state.projects.get(project)?.workflow.settings;
    if (settings === undefined) return;
    const name = trackerName(project, scope);
    const opening = threads.open(name, settings.tracker);
    const watching = threads.watch(name, () => loop().post({type: 'tracker.changed', project}));
    const opened = await opening;
    await watching;
    if (opened.ok) return;
    const about = {event: 'tracker.not_opened', project, reason: opened.failure.message};
    log('error', about, 'the tracker cannot be opened');
  }

  close(project: string, scope: number): void {
    void this.#options.threads.close(trackerName(project, scope));
  }

  /** Before the body of a webhook is read. */
  screenWebhook(project: string, headers: WebhookDelivery['headers']): ScreenedOut | null {
    const {loop, profiles} = this.#options;
    const settings = loop().state.projects.get(project)?.workflow.settings.tracker;
    return screenWebhook(settings, profiles, headers);
  }

  /** By the tracker itself, whose secret never leaves its thread. null: there is no such project. */
  judgeWebhook(project: string, delivery: WebhookDelivery) {
    const {loop, threads} = this.#options;
    const scope = loop().state.projects.get(project)?.scope;
    if (scope === undefined) return null;
    return threads.verifyWebhook(trackerName(project, scope), delivery);
  }
}
