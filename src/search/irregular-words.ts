/**
 * Irregular English forms, which a stemmer does not reduce, with their base forms. Forms that are also another word
 * ("saw", "left", "found") are included if they are mostly the verb in conversations, and left out if they are not
 * ("ground", "wound", "lay").
 */
export const IRREGULAR_WORDS: ReadonlyMap<string, string> = new Map(
  `ate:eat eaten:eat became:become began:begin begun:begin bent:bend bitten:bite blew:blow blown:blow
  bought:buy broke:break broken:break brought:bring built:build caught:catch children:child chose:choose
  chosen:choose came:come dealt:deal drank:drink drawn:draw drew:draw driven:drive drove:drive drunk:drink dug:dig
  fallen:fall fed:feed feet:foot fell:fall felt:feel fled:flee flew:fly flown:fly forgot:forget forgotten:forget
  fought:fight found:find froze:freeze frozen:freeze gave:give given:give gone:go got:get gotten:get grew:grow
  grown:grow heard:hear held:hold hid:hide hidden:hide hung:hang kept:keep knew:know known:know laid:lay led:lead
  left:leave lent:lend lost:lose made:make meant:mean men:man met:meet mice:mouse paid:pay people:person
  ran:run ridden:ride risen:rise rode:ride said:say sang:sing sat:sit saw:see seen:see sent:send shot:shoot
  shown:show slept:sleep sold:sell sought:seek spent:spend spoke:speak spoken:speak stole:steal stolen:steal
  stood:stand struck:strike stuck:stick sung:sing swam:swim swept:sweep swum:swim taken:take taught:teach teeth:tooth
  thought:think threw:throw thrown:throw told:tell took:take tore:tear torn:tear understood:understand went:go
  wept:weep wives:wife woke:wake woken:wake women:woman won:win wore:wear worn:wear written:write wrote:write`
    .split(/\s+/)
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]),
);
