import type {Claim} from '../rig/fixtures/store-file.ts';

/** A claim in a few words, by which a table can say which writes it is about. */
export function describeClaim(claim: Claim): string {
  switch (claim.is) {
    case 'running': {
      const {step, attempt, turn, agentPid, callsUnderWay, movedTo, result} = claim.run;
      const progress = [
        claim.workspace !== null && 'workspace',
        agentPid !== null && 'agent',
        claim.thread !== null && `thread ${claim.thread.turns}`,
        turn > 0 && `turn ${turn}`,
        callsUnderWay > 0 && 'calls',
        movedTo !== null && 'moved',
        result !== null && 'result',
      ];
      return `running ${step} attempt ${[attempt, ...progress.filter(Boolean)].join(' ')}`;
    }
    case 'stopping':
      return `stopping ${claim.step} ${claim.next.do}`;
    case 'retrying':
      return `retrying ${claim.kind} attempt ${claim.attempt}`;
    case 'held':
      return `held ${claim.because.code}`;
    case 'dismissed':
      return `dismissed ${claim.isRead ? 'read' : 'unread'}`;
  }
}
