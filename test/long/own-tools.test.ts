import { testTool } from '../../src/testing.ts';
import { createAllTools } from '../../src/tools/builtin.ts';

// What is ours is held to what anybody's is.
for (const tool of createAllTools()) testTool(tool);
