import {updateIssueSpec} from '../update/update-tool.ts';

export const MEMORY_TOOLS = [updateIssueSpec('Updates the issue that you work on.')];
