;; Matrix products of the offline model. The right matrix comes in panels of eight columns as floats, one row after the
;; other, so that a product reads memory sequentially and keeps four rows of eight sums in registers.
(module
  (memory (import "kernel" "memory") 1)

  ;; Writes eight columns of an int8 matrix as a panel, each multiplied by its scale.
  (func (export "unpack")
    (param $from i32)
    (param $stride i32)     ;; bytes of a row of the whole matrix
    (param $scales i32)
    (param $panel i32)
    (param $panelEnd i32)
    (local $left v128) (local $right v128) (local $words v128)

    (local.set $left (v128.load (local.get $scales)))
    (local.set $right (v128.load offset=16 (local.get $scales)))
    (loop $rows
      (local.set $words (v128.load8x8_s (local.get $from)))
      (v128.store (local.get $panel) (f32x4.mul (local.get $left)
        (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $words)))))
      (v128.store offset=16 (local.get $panel) (f32x4.mul (local.get $right)
        (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $words)))))
      (local.set $from (i32.add (local.get $from) (local.get $stride)))
      (br_if $rows (i32.lt_u (local.tee $panel (i32.add (local.get $panel) (i32.const 32))) (local.get $panelEnd)))))

  ;; Multiplies rows by a panel and adds eight numbers to each product. Four rows are multiplied at once, so up to three
  ;; more than asked for are read and written. The loop is not unrolled: that made it slower by half in V8.
  (func (export "multiply")
    (param $from i32)
    (param $stride i32)     ;; bytes from one left row to the next
    (param $panel i32)
    (param $panelEnd i32)
    (param $bias i32)
    (param $to i32)
    (param $toStride i32)   ;; bytes from one row of the product to the next
    (param $toEnd i32)
    (local $row0 i32) (local $row1 i32) (local $row2 i32) (local $row3 i32) (local $at i32)
    (local $biasLeft v128) (local $biasRight v128) (local $left v128) (local $right v128) (local $factor v128)
    (local $left0 v128) (local $left1 v128) (local $left2 v128) (local $left3 v128)
    (local $right0 v128) (local $right1 v128) (local $right2 v128) (local $right3 v128)

    (local.set $biasLeft (v128.load (local.get $bias)))
    (local.set $biasRight (v128.load offset=16 (local.get $bias)))
    (local.set $row0 (local.get $from))
    (loop $rows
      (local.set $row1 (i32.add (local.get $row0) (local.get $stride)))
      (local.set $row2 (i32.add (local.get $row1) (local.get $stride)))
      (local.set $row3 (i32.add (local.get $row2) (local.get $stride)))
      (local.set $from (i32.add (local.get $row3) (local.get $stride)))
      (local.set $left0 (local.get $biasLeft))
      (local.set $left1 (local.get $biasLeft))
      (local.set $left2 (local.get $biasLeft))
      (local.set $left3 (local.get $biasLeft))
      (local.set $right0 (local.get $biasRight))
      (local.set $right1 (local.get $biasRight))
      (local.set $right2 (local.get $biasRight))
      (local.set $right3 (local.get $biasRight))
      (local.set $at (local.get $panel))

      (loop $numbers
        (local.set $left (v128.load (local.get $at)))
        (local.set $right (v128.load offset=16 (local.get $at)))
        (local.set $factor (v128.load32_splat (local.get $row0)))
        (local.set $left0 (f32x4.add (local.get $left0) (f32x4.mul (local.get $factor) (local.get $left))))
        (local.set $right0 (f32x4.add (local.get $right0) (f32x4.mul (local.get $factor) (local.get $right))))
        (local.set $factor (v128.load32_splat (local.get $row1)))
        (local.set $left1 (f32x4.add (local.get $left1) (f32x4.mul (local.get $factor) (local.get $left))))
        (local.set $right1 (f32x4.add (local.get $right1) (f32x4.mul (local.get $factor) (local.get $right))))
        (local.set $factor (v128.load32_splat (local.get $row2)))
        (local.set $left2 (f32x4.add (local.get $left2) (f32x4.mul (local.get $factor) (local.get $left))))
        (local.set $right2 (f32x4.add (local.get $right2) (f32x4.mul (local.get $factor) (local.get $right))))
        (local.set $factor (v128.load32_splat (local.get $row3)))
        (local.set $left3 (f32x4.add (local.get $left3) (f32x4.mul (local.get $factor) (local.get $left))))
        (local.set $right3 (f32x4.add (local.get $right3) (f32x4.mul (local.get $factor) (local.get $right))))

        (local.set $row0 (i32.add (local.get $row0) (i32.const 4)))
        (local.set $row1 (i32.add (local.get $row1) (i32.const 4)))
        (local.set $row2 (i32.add (local.get $row2) (i32.const 4)))
        (local.set $row3 (i32.add (local.get $row3) (i32.const 4)))
        (br_if $numbers (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 32))) (local.get $panelEnd))))

      (v128.store (local.get $to) (local.get $left0))
      (v128.store offset=16 (local.get $to) (local.get $right0))
      (local.set $to (i32.add (local.get $to) (local.get $toStride)))
      (v128.store (local.get $to) (local.get $left1))
      (v128.store offset=16 (local.get $to) (local.get $right1))
      (local.set $to (i32.add (local.get $to) (local.get $toStride)))
      (v128.store (local.get $to) (local.get $left2))
      (v128.store offset=16 (local.get $to) (local.get $right2))
      (local.set $to (i32.add (local.get $to) (local.get $toStride)))
      (v128.store (local.get $to) (local.get $left3))
      (v128.store offset=16 (local.get $to) (local.get $right3))
      (local.set $to (i32.add (local.get $to) (local.get $toStride)))
      (local.set $row0 (local.get $from))
      (br_if $rows (i32.lt_u (local.get $to) (local.get $toEnd))))))
