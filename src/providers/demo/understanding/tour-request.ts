import { withoutPoliteWords } from './polite.ts';

const TOUR = [
  /^(?:(?:the |a |an |your )?(?:quick |short |little |guided |demo |product |full |60[- ]second )*(?:tour|walk-?through|demonstration|demo)(?: (?:mode|please|of (?:wield|the tools?|yourself|what you can do)))?)$/i,
  /^run (?:the |a |your )?(?:quick |short |guided |demo )*(?:tour|demo)$/i,
  /^(?:i(?:'d| would)? )?(?:take|start|begin|show|like|need|give|do|go on|launch|play|try|see|want|have|get|join|on)\b(?: (?:me|us|on|with|through))*(?: (?:the|a|an|your|another))?(?: (?:quick|short|little|guided|demo|product|full|live))* (?:tour|walk-?through|demonstration|demo)(?: (?:again|now|of (?:wield|the tools?|yourself|what you can do)))?$/i,
  /^(?:fix|repair|solve) the (?:sample|planted|demo|example)(?:'s)? bug(?: \(.*\))?$/i,
  /^(?:show (?:me|us) (?:what you can do|how (?:you|this|it|wield) works?(?: in action)?)|(?:demonstrate|demo)(?: (?:yourself|it|wield|what you can do))?)$/i,
  /^(?:我)?(?:想要?|要)?(?:看看?|试试?)?(?:一?个)?(?:(?:开始|进行|来|做|看|带我|走|参加|播放|启动|来个|来一次|做个|给个|看看|看个|跑|跑一遍|给我|运行)(?:一下|一遍|一次|个|一个|下)?)?(?:功能|产品|快速|简短|完整|新手)*(?:导览|导游|演示|参观|展示|游览|示范|巡览|导航游览|观光|demo|tour)(?:一下|一遍|一次|下|模式|功能|看看|演示|给我看看?|一番)*$/i,
  /^(?:带我|领我)(?:去)?(?:逛|参观|转|游览|看|走)(?:一?逛|一?转|一下|一圈|看|一遍|一走)?$/,
  /^(?:修复|修|改|修掉)(?:一下)?(?:示例|样例|演示|例子)(?:项目)?(?:里|中)?的?(?:bug|错误|缺陷|问题)$/i,
  /^(?:演示|展示|示范)(?:一下|下)?(?:你|你的|wield|它)?(?:能做什么|会什么|的?能力|的?功能|怎么用|怎么工作)(?:的)?$/i,
];

/** Whether a person asks for the demo model's tour, in which it mends a planted bug in a scratch copy. */
export function isTourRequest(text: string): boolean {
  // No request for the tour is longer; a long text is not looked into.
  if (text.length > 200) return false;
  const core = withoutPoliteWords(text).replace(/[\s.。!！?？~]+$/, '');
  return TOUR.some((pattern) => pattern.test(core) || pattern.test(text.trim().replace(/[\s.。!！?？~]+$/, '')));
}
